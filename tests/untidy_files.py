"""Untidy files made of tidy outputs: what models, decoders and people leave in a file in addition to the sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from random import Random

from detokenising import naive_detokenised

Lines = Sequence[str]
Spoil = Callable[[Lines, Lines], list[str]]


def each(change: Callable[[int, str, str], str]) -> Spoil:
    """Every line by its number from 0, its source and its text."""

    def spoil(sources: Lines, outputs: Lines) -> list[str]:
        pairs = zip(sources, outputs, strict=True)
        return [change(number, source, output) for number, (source, output) in enumerate(pairs)]

    return spoil


def some(every: int, change: Callable[[int, str, str], str]) -> Spoil:
    """Each so manieth line."""
    return each(lambda number, source, output: output if number % every else change(number, source, output))


def in_pieces(word: str) -> list[str]:
    """A longer word in two pieces."""
    return [word[:3], word[3:]] if len(word) > 5 and word.isalpha() else [word]


def without_rare_words(sources: Lines, outputs: Lines) -> list[str]:
    counts: dict[str, int] = {}
    for line in sources:
        for word in line.split():
            counts[word] = counts.get(word, 0) + 1
    return [" ".join(word if counts.get(word, 0) > 1 else "<unk>" for word in line.split()) for line in outputs]


def with_lost_letters(sources: Lines, outputs: Lines) -> list[str]:
    draw = Random(5)

    def lose(line: str) -> str:
        words = line.split()
        place = draw.randrange(len(words)) if words else 0
        if words and len(words[place]) > 3:
            words[place] = words[place][:2] + "\ufffd" + words[place][3:]
        return " ".join(words)

    return [lose(line) for line in outputs]


def no_changes(number: int, source: str, output: str) -> str:
    return "No changes needed." if source.split() == output.split() else output


def without_one_line(sources: Lines, outputs: Lines) -> list[str]:
    return [*outputs[:400], *outputs[401:]]


def with_split_lines(sources: Lines, outputs: Lines) -> list[str]:
    lines = []
    for number, line in enumerate(outputs):
        words = line.split()
        if number % 60 == 7 and len(words) > 12:
            lines += [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
        else:
            lines.append(line)
    return lines


def with_joined_lines(sources: Lines, outputs: Lines) -> list[str]:
    lines: list[str] = []
    for number, line in enumerate(outputs):
        if number % 60 == 7 and lines:
            lines[-1] = f"{lines[-1]} {line}"
        else:
            lines.append(line)
    return lines


def with_lines_between(text: str, every: int = 1) -> Spoil:
    def spoil(sources: Lines, outputs: Lines) -> list[str]:
        return [
            line
            for number, output in enumerate(outputs)
            for line in ((text, output) if number % every == 0 else (output,))
        ]

    return spoil


def shuffled_decoder_lines(sources: Lines, outputs: Lines) -> list[str]:
    """A decoder's log: sources, hypotheses and their scores, in the order of length."""
    order = sorted(range(len(outputs)), key=lambda i: (len(sources[i]), i))
    return [
        line
        for i in order
        for line in (f"S-{i}\t{sources[i]}", f"H-{i}\t-0.3125\t{outputs[i]}", f"P-{i}\t-0.1250 -0.5000")
    ]


def two_best(sources: Lines, outputs: Lines) -> list[str]:
    """The source is the second best."""
    return [line for source, output in zip(sources, outputs, strict=True) for line in (output, source)]


def quoted_for_csv(number: int, source: str, output: str) -> str:
    return '"' + output.replace('"', '""') + '"'


def new_words(write: Callable[[str], str]) -> Spoil:
    """Words that the source has not, written in another way."""
    return each(lambda n, s, o: " ".join(word if word in s.split() else write(word) for word in o.split()))


def without_last_mark(line: str) -> str:
    return line[:-2] if line.endswith((" .", " ?", " !")) else line


def with_marked_edits(deleted: str, inserted: str) -> Spoil:
    """What was deleted and what was inserted, each where % stands."""

    def mark(number: int, source: str, output: str) -> str:
        words, others = source.split(), output.split()
        marked: list[str] = []
        for operation, i, i_end, j, j_end in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
            if operation == "equal":
                marked += others[j:j_end]
                continue
            if deleted and i_end > i:
                marked.append(deleted.replace("%", " ".join(words[i:i_end])))
            if inserted and j_end > j:
                marked.append(inserted.replace("%", " ".join(others[j:j_end])))
        return " ".join(marked)

    return each(mark)


def without_words(count: int, every: int) -> Spoil:
    return some(every, lambda n, s, o: " ".join(o.split()[:4] + o.split()[4 + count :]))


TRADITIONAL = str.maketrans("们个这学时来为国会对说后现样过没语么", "們個這學時來為國會對說後現樣過沒語麼")
LOOK_ALIKES = str.maketrans("aceopxyACEOPX", "асеорхуАСЕОРХ")
HELPFUL = ("I hope this helps !", "The verb was wrong here .", "Is there anything else ?")

# Files that nobody can put in order: a warning says what is wrong, and after they were cleaned, too.
SPOILT_FILES: dict[str, Spoil] = {
    "four words lost": without_words(4, 20),
    "three words lost": without_words(3, 12),
    "two words lost": without_words(2, 12),
    "commas lost": each(lambda n, s, o: o.replace(" ,", "")),
    "quotation marks lost": each(lambda n, s, o: o.replace('"', "")),
    "zeros for digits": each(lambda n, s, o: re.sub(r"\d", "0", o)),
    "number signs for digits": each(lambda n, s, o: re.sub(r"\d", "#", o)),
    "words for numbers": each(lambda n, s, o: re.sub(r"\d+", "NUM", o)),
    "thoughts without end": some(10, lambda n, s, o: f'<think> The sentence is "{s}". Let me check the verb.'),
    "prompts": some(10, lambda n, s, o: f"Correct the grammar of the following sentence: {s}"),
    "refusals in two languages": some(30, lambda n, s, o: "I'm sorry, I can't help. / Lo siento, no puedo ayudar."),
    "different refusals": some(
        30, lambda n, s, o: ("I'm sorry, but I can't help.", "I cannot assist with this.", "Sorry, no.")[n // 30 % 3]
    ),
    "tags behind slashes": each(lambda n, s, o: " ".join(f"{word}/NN" for word in o.split())),
    "colours": with_marked_edits(r"\textcolor{red}{%}", r"\textcolor{blue}{%}"),
    "full width": some(20, lambda n, s, o: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in o)),
    "headlines": some(15, lambda n, s, o: " ".join(word[:1].upper() + word[1:] for word in o.split())),
    "lost final marks": each(lambda n, s, o: without_last_mark(o)),
    "some lost final marks": some(30, lambda n, s, o: without_last_mark(o)),
    "twelve tokens": each(lambda n, s, o: " ".join(o.split()[:12])),
    "forty tokens": each(lambda n, s, o: " ".join(o.split()[:40])),
    "a hundred letters": each(lambda n, s, o: o[:100]),
    "capitals": some(12, lambda n, s, o: o.upper()),
    "small letters": some(12, lambda n, s, o: o.lower()),
    "titles": some(12, lambda n, s, o: o.title()),
    "one capital a line": each(lambda n, s, o: o.capitalize()),
    "corrections in capitals": new_words(str.upper),
    "alternatives": new_words(lambda word: f"go/{word}"),
    "arrows in words": new_words(lambda word: f"go→{word}"),
    "tags of words": each(lambda n, s, o: " ".join(f"{word}_NN" for word in o.split())),
    "repeated last word": some(30, lambda n, s, o: o + f" {o.split()[-1:]}" * 40),
    "words twice": some(20, lambda n, s, o: " ".join(w for word in o.split() for w in (word, word))),
    "letters apart": some(20, lambda n, s, o: " ".join(o)),
    "no blanks": some(20, lambda n, s, o: o.replace(" ", "")),
    "other clitics": each(lambda n, s, o: o.replace(" n't", "n 't").replace("'s", "' s")),
    "refusals": some(30, lambda n, s, o: "I'm sorry, but I can't help with that."),
    "old words in brackets": with_marked_edits("(%)", "%"),
    "old words before slashes": with_marked_edits("%/", "%"),
    "old words before arrows": with_marked_edits("% →", "%"),
    "signs around edits": with_marked_edits("-%-", "+%+"),
    "loops inside": some(20, lambda n, s, o: " ".join(o.split()[:6]) + " and the" * 50),
    "wide marks": some(10, lambda n, s, o: o.translate(str.maketrans(",.?!:()", "，。？！：（）"))),
    "low lines for blanks": each(lambda n, s, o: o.replace(" ", "_")),
    "numbers of words": each(lambda n, s, o: " ".join(str(len(word)) for word in o.split())),
    "first words lost": each(lambda n, s, o: " ".join(o.split()[1:])),
    "last words lost": each(lambda n, s, o: " ".join([*o.split()[:-2], *o.split()[-1:]])),
    "first letters lost": each(lambda n, s, o: o[1:]),
    "question marks for quotation marks": each(lambda n, s, o: o.replace("'", "?").replace('"', "?")),
    "errors": some(30, lambda n, s, o: "ERROR"),
    "none": some(30, lambda n, s, o: "None"),
    "another text": some(30, lambda n, s, o: "Dies ist ein ganz anderer deutscher Satz und nicht der richtige ."),
    "placeholders": some(30, lambda n, s, o: re.sub(r"\b[A-Z]\w+", "[NAME]", o)),
}
# Files that `--outputs raw` puts in order.
DETOKENISED_FILES: dict[str, Spoil] = {
    "commas at words": each(lambda n, s, o: re.sub(r" ([,;:])", r"\1", o)),
    "every fifth line detokenised": some(5, lambda n, s, o: naive_detokenised(o)),
    "every tenth line detokenised": some(10, lambda n, s, o: naive_detokenised(o)),
    "every sixtieth line detokenised": some(60, lambda n, s, o: naive_detokenised(o)),
    "clitics at words": each(lambda n, s, o: re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", o)),
}
UNTIDY_FILES: dict[str, Spoil] = {
    "look-alike letters": some(20, lambda n, s, o: o.translate(LOOK_ALIKES)),
    "one look-alike letter": each(lambda n, s, o: o.replace("a", "а", 1)),
    "arrow between": each(lambda n, s, o: f"{s} -> {o}"),
    "arrow where changed": each(lambda n, s, o: o if s == o else f"{s} => {o}"),
    "bars between": each(lambda n, s, o: f"{s} ||| {o}"),
    "source and output alone": each(lambda n, s, o: f"{s} {o}"),
    "output and source": each(lambda n, s, o: f"{o} / {s}"),
    "labels of both": each(lambda n, s, o: f"Original: {s} Corrected: {o}"),
    "csv of two": each(lambda n, s, o: f"{quoted_for_csv(n, s, s)},{quoted_for_csv(n, s, o)}"),
    "row of a table": each(lambda n, s, o: f"| {n} | {o} |"),
    "twice": some(20, lambda n, s, o: f"{o} {o}"),
    "bold": new_words(lambda word: f"<b>{word}</b>"),
    "spans": new_words(lambda word: f'<span class="new">{word}</span>'),
    "deleted and inserted": new_words(lambda word: f"<del>go</del> <ins>{word}</ins>"),
    "paragraphs": each(lambda n, s, o: f"<p>{o}</p>"),
    "cells": each(lambda n, s, o: f"<tr><td>{n}</td><td>{o}</td></tr>"),
    "list of words": each(lambda n, s, o: repr(o.split())),
    "tuple": each(lambda n, s, o: repr((s, o))),
    "dictionary": each(lambda n, s, o: repr({"corrected": o})),
    "bytes": each(lambda n, s, o: repr(o.encode())),
    "curly apostrophes": each(lambda n, s, o: o.replace("'", "’")),
    "other hyphens": each(lambda n, s, o: o.replace("-", "\u2011")),
    "brackets around corrections": new_words(lambda word: f"[{word}]"),
    "stars": new_words(lambda word: f"*{word}"),
    "helpful ends": some(10, lambda n, s, o: f"{o} {HELPFUL[n // 10 % 3]}"),
    "dash and reason": some(10, lambda n, s, o: f"{o} - fixed subject-verb agreement"),
    "label": each(lambda n, s, o: f"Corrected: {o}"),
    "tokenised label": each(lambda n, s, o: f"Corrected sentence : {o}"),
    "foreign label": each(lambda n, s, o: f"Phrase corrigée : {o}"),
    "lead-in": each(lambda n, s, o: f"Sure, here is the corrected sentence: {o}"),
    "lead-in of some": some(4, lambda n, s, o: f"Here is the corrected sentence: {o}"),
    "decoder": each(lambda n, s, o: f"H-{n}\t-0.31{n}\t{o}"),
    "decoder log": shuffled_decoder_lines,
    "id": each(lambda n, s, o: f"bea-{n}-x\t{o}"),
    "hash as id": each(lambda n, s, o: f"{(n + 1) * 2654435761 % 2**32:08x}\t{o}"),
    "source and output": each(lambda n, s, o: f"{s}\t{o}"),
    "output and score": each(lambda n, s, o: f"{o}\t-0.5{n}"),
    "end of sentence": each(lambda n, s, o: f"{o} </s>"),
    "both ends": each(lambda n, s, o: f"<s> {o} </s>"),
    "classifier tokens": each(lambda n, s, o: f"[CLS] {o} [SEP]"),
    "csv": each(quoted_for_csv),
    "quoted": each(lambda n, s, o: f'"{o}"'),
    "curly quotes": each(lambda n, s, o: f"“{o}”"),
    "bpe": each(lambda n, s, o: " ".join("@@ ".join(in_pieces(word)) for word in o.split())),
    "sentencepiece": each(lambda n, s, o: " ".join("▁" + " ".join(in_pieces(word)) for word in o.split())),
    "wordpiece": each(lambda n, s, o: " ".join(" ##".join(in_pieces(word)) for word in o.split())),
    "byte pieces": each(lambda n, s, o: " Ġ".join(" ".join(in_pieces(word)) for word in o.split())),
    "unknown words": without_rare_words,
    "zero-width space": each(lambda n, s, o: f"\u200b{o}"),
    "replacement characters": with_lost_letters,
    "soft hyphens": each(lambda n, s, o: " ".join("\u00ad".join(in_pieces(word)) for word in o.split())),
    "inner byte order marks": some(20, lambda n, s, o: f"\ufeff{o}"),
    "control characters": each(lambda n, s, o: f"{o}\x07"),
    "private use": each(lambda n, s, o: o.replace(" ", " \ue012", 1)),
    "markdown": some(2, lambda n, s, o: " ".join(f"**{w}**" if w not in s.split() else w for w in o.split())),
    "struck out": each(lambda n, s, o: o if o == s else f"~~{s.split()[0]}~~ {o}"),
    "list": each(lambda n, s, o: f"- {o}"),
    "numbers": each(lambda n, s, o: f"{n + 1}. {o}"),
    "numbers in brackets": each(lambda n, s, o: f"[{n + 1}] {o}"),
    "explanation": some(3, lambda n, s, o: f"{o} (Explanation: the verb agrees with its subject.)"),
    "note": some(3, lambda n, s, o: f"{o} Note: I changed the verb."),
    "no changes": each(no_changes),
    "thoughts": each(lambda n, s, o: f"<think>Is {s.split()[0]} right?</think> {o}"),
    "chat": each(lambda n, s, o: f"<|im_start|>assistant {o}<|im_end|>"),
    "instruction": each(lambda n, s, o: f"[INST] Correct: {s} [/INST] {o}"),
    "assistant": each(lambda n, s, o: f"Assistant: {o}"),
    "xml": each(lambda n, s, o: f"<corrected>{o}</corrected>"),
    "code fence": each(lambda n, s, o: f"```{o}```"),
    "json": each(lambda n, s, o: '{"corrected": "' + o.replace("\\", "\\\\").replace('"', '\\"') + '"}'),
    "entities": each(lambda n, s, o: o.replace("'", "&apos;").replace('"', "&quot;")),
    "brackets": each(lambda n, s, o: o.replace("(", "-LRB-").replace(")", "-RRB-")),
    "joiners": each(lambda n, s, o: o.replace("-", " @-@ ")),
    "score behind": each(lambda n, s, o: f"{o} (score 0.{n})"),
    "odd sign": each(lambda n, s, o: o.replace(" ", " ¦ ".replace("¦", "█"), 1)),
    "two apostrophes": each(lambda n, s, o: o.replace('"', "''")),
    "long dashes": each(lambda n, s, o: o.replace("-", "—")),
    "single quotes": each(lambda n, s, o: f"'{o}'"),
    "quotes and a full stop": each(lambda n, s, o: f'"{o}".'),
    "entities in hexadecimals": each(lambda n, s, o: o.replace("'", "&#x27;").replace('"', "&ldquo;")),
    "word diff": with_marked_edits("[-%-]", "{+%+}"),
    "critic markup": with_marked_edits("{--%--}", "{++%++}"),
    "latexdiff": with_marked_edits(r"\DIFdel{%}", r"\DIFadd{%}"),
    "arrows in brackets": with_marked_edits("[%", "→ %]"),
    "json with an explanation": each(
        lambda n, s, o: json.dumps({"corrected_sentence": o, "explanation": f'In "{s}" the verb was wrong.'})
    ),
    "json inside json": each(lambda n, s, o: json.dumps([{"result": {"text": o}}])),
    "json without its end": each(lambda n, s, o: json.dumps({"corrected": o})[:-1]),
    "json strings with commas": each(lambda n, s, o: json.dumps(o, ensure_ascii=False) + ","),
    "text of a spreadsheet": each(lambda n, s, o: f"'{o}"),
    "formula of a spreadsheet": each(lambda n, s, o: f'="{o}"'),
    "quoted formula": each(lambda n, s, o: f'"=""{o}"""'),
    "empty cells": each(lambda n, s, o: f"{o};;;"),
    "empty cells of a csv": each(lambda n, s, o: f"{o},,"),
    "toml": each(lambda n, s, o: f'corrected = "{o}"'),
    "prompt of a template": each(lambda n, s, o: f"### Instruction: Correct it. ### Input: {s} ### Response: {o}"),
    "user and assistant": each(lambda n, s, o: f"USER: {s} ASSISTANT: {o}"),
    "repeated prompt": each(lambda n, s, o: f"Correct the following sentence. {s} {o}"),
    "tags of two turns": each(lambda n, s, o: f"<|user|>{s}<|end|><|assistant|>{o}<|end|>"),
    "tags in wide bars": each(lambda n, s, o: f"{o}<｜end▁of▁sentence｜>"),
    "reasons and an answer": each(lambda n, s, o: f"The word {s.split()[0]} is wrong. <answer>{o}</answer>"),
    "call of a tool": each(lambda n, s, o: json.dumps({"name": "fix", "arguments": {"source": s, "corrected": o}})),
    "row of a Markdown table": each(lambda n, s, o: f"| {n} | {s} | {o} | changed the verb |"),
    "csv with ids": each(lambda n, s, o: f"{n},{quoted_for_csv(n, s, o)}"),
    "csv with ids and sources": each(lambda n, s, o: f"{n},{quoted_for_csv(n, s, s)},{quoted_for_csv(n, s, o)}"),
    "cells between semicolons": each(lambda n, s, o: f"{n};{o}"),
    "cells between bars": each(lambda n, s, o: f"{n} ||| {o} ||| LM0= -{n}.3 ||| -{n}.0"),
    "numbered corrections": each(lambda n, s, o: f"Correction {n + 1}: {o}"),
    "bold label": each(lambda n, s, o: f"**Corrected sentence:** {o}"),
    "two sentences before": some(10, lambda n, s, o: f"Great question! Here is the fix: {o}"),
    "can be corrected to": each(lambda n, s, o: f'The sentence "{s}" can be corrected to "{o}".'),
    "should be": each(lambda n, s, o: f'"{s}" should be "{o}"'),
    "changed lines of a diff": lambda sources, outputs: [
        line for s, o in zip(sources, outputs, strict=True) for line in ([f" {o}"] if s == o else [f"-{s}", f"+{o}"])
    ],
    "tags of any name": new_words(lambda word: f"<c>{word}</c>"),
    "tags in brackets": new_words(lambda word: f"[b]{word}[/b]"),
    "double brackets": new_words(lambda word: f"[[{word}]]"),
    "raised figures": new_words(lambda word: f"{word}¹"),
    "colours of a terminal": new_words(lambda word: f"\x1b[1;31m{word}\x1b[0m"),
    "names of bytes": each(lambda n, s, o: o.replace("'", "<0xE2><0x80><0x99>")),
    "read as Cyrillic": each(lambda n, s, o: o.replace("'", "’").encode().decode("cp1251", "replace")),
    "read as MacRoman": each(lambda n, s, o: o.replace("'", "’").encode().decode("mac_roman")),
    "read as cp437": each(lambda n, s, o: o.replace("'", "’").encode().decode("cp437")),
    "another full stop": each(lambda n, s, o: f"{o} ."),
    "emojis": some(10, lambda n, s, o: f"{o} 😊"),
    "escaped line ends": each(lambda n, s, o: f"Corrected:\\n{o}\\n\\nExplanation: fixed"),
    "loops at the end": some(20, lambda n, s, o: o + " the end ." * 40),
    "short loops at the end": each(lambda n, s, o: o + " the end ." * 3),
    "loops of a letter": some(20, lambda n, s, o: o + "a" * 300),
    "loops of a sentence": some(20, lambda n, s, o: f"{o} " * 9 + o[: len(o) // 2]),
    "missing line": without_one_line,
    "line too many": lambda s, o: [*o[:400], "Here are the other sentences:", *o[400:]],
    "split lines": with_split_lines,
    "joined lines": with_joined_lines,
    "empty lines between": with_lines_between(""),
    "fences between": with_lines_between("```", every=50),
    "two best": two_best,
}


def json_of(key: str) -> Spoil:
    return each(lambda n, s, o: json.dumps({key: o}, ensure_ascii=n % 2 == 0))


def where_unchanged(text: str) -> Spoil:
    return each(lambda n, s, o: text if s == o else o)


# What the model says to its user is in the language of the sentences, and in no list of phrases.
UKRAINIAN_FILES: dict[str, Spoil] = {
    "label": each(lambda n, s, o: f"Виправлене речення: {o}"),
    "label of some": some(10, lambda n, s, o: f"Виправлено: {o}"),
    "lead-in": some(4, lambda n, s, o: f"Звичайно, ось виправлене речення: {o}"),
    "ids": each(lambda n, s, o: f"ua-{n}\t{o}"),
    "numbers": each(lambda n, s, o: f"{n + 1}. {o}"),
    "json": json_of("виправлено"),
    "quotes": each(lambda n, s, o: f"«{o}»"),
    "low quotes": each(lambda n, s, o: f"„{o}“"),
    "markdown": each(lambda n, s, o: f"**{o}**"),
    "explanations": some(3, lambda n, s, o: f"{o} (Пояснення: дієслово узгоджено з підметом.)"),
    "no changes": where_unchanged("Помилок немає."),
    "helpful ends": some(10, lambda n, s, o: f"{o} Сподіваюся, це допоможе!"),
    "refusals": some(30, lambda n, s, o: "Вибачте, але я не можу допомогти з цим."),
    "byte order marks": some(20, lambda n, s, o: f"\ufeff{o}"),
    "zero-width spaces": each(lambda n, s, o: o.replace(" ", "\u200b ", 1)),
    "Latin letters": each(lambda n, s, o: o.replace("і", "i")),
    "wrong encoding": some(5, lambda n, s, o: o.encode().decode("latin-1")),
    "arrows": each(lambda n, s, o: f"{s} → {o}"),
    "ellipses": each(lambda n, s, o: o.replace("...", "…")),
    "comments": each(lambda n, s, o: f"{o} # ok"),
    "numbers without marks": each(lambda n, s, o: f"{n + 1} {o}"),
    "source and output": each(lambda n, s, o: f"{s} {o}"),
    "tags of two turns": each(lambda n, s, o: f"<|user|>{s}<|end|><|assistant|>{o}<|end|>"),
    "grave accents": each(lambda n, s, o: o.replace("'", "`")),
    "lists of two outputs": lambda sources, outputs: [
        f"{n} ||| {text} ||| LM0= -{n}.{place} ||| -{n}.{place}"
        for n, texts in enumerate(zip(outputs, sources, strict=True))
        for place, text in enumerate(texts)
    ],
    "missing line": without_one_line,
    "detokenised": each(lambda n, s, o: naive_detokenised(o)),
    "every tenth line detokenised": some(10, lambda n, s, o: naive_detokenised(o)),
}
CHINESE_FILES: dict[str, Spoil] = {
    "traditional characters": each(lambda n, s, o: o.translate(TRADITIONAL)),
    "every thirtieth line in traditional characters": some(30, lambda n, s, o: o.translate(TRADITIONAL)),
    "json strings with commas": each(lambda n, s, o: f'"{o}",'),
    "label": each(lambda n, s, o: f"修改后的句子：{o}"),
    "label of some": some(10, lambda n, s, o: f"修改后：{o}"),
    "lead-in": some(4, lambda n, s, o: f"好的，以下是修改后的句子：{o}"),
    "ids": each(lambda n, s, o: f"zh-{n}\t{o}"),
    "numbers": each(lambda n, s, o: f"{n + 1}、{o}"),
    "json": json_of("修改"),
    "quotes": each(lambda n, s, o: f"“{o}”"),
    "corner brackets": each(lambda n, s, o: f"「{o}」"),
    "markdown": each(lambda n, s, o: f"**{o}**"),
    "explanations": some(3, lambda n, s, o: f"{o}（说明：动词使用错误。）"),
    "no changes": where_unchanged("无需修改。"),
    "helpful ends": some(10, lambda n, s, o: f"{o} 希望这对您有帮助！"),
    "refusals": some(30, lambda n, s, o: "抱歉，我无法帮助您。"),
    "byte order marks": some(20, lambda n, s, o: f"\ufeff{o}"),
    "zero-width spaces": each(lambda n, s, o: o.replace(" ", "\u200b ", 1)),
    "narrow marks": each(lambda n, s, o: o.replace("，", ",").replace("。", ".").replace("？", "?")),
    "wrong encoding": some(5, lambda n, s, o: o.encode().decode("latin-1")),
    "arrows": each(lambda n, s, o: f"{s} → {o}"),
    "labels of both": each(lambda n, s, o: f"原句：{s} 改正：{o}"),
    "loops": some(20, lambda n, s, o: o + " 谢 谢 大 家 。" * 9),
    "missing line": without_one_line,
    "no blanks": each(lambda n, s, o: o.replace(" ", "")),
    "every tenth line without blanks": some(10, lambda n, s, o: o.replace(" ", "")),
}
