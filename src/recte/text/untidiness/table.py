"""The table of kinds of untidiness.

One row of `UNTIDY_KINDS` is all that there is of a kind: the check of inputs warns of it, and `recte clean` undoes it.
Most rows look at one line and its source; those of `LEARNED_KINDS` look at many lines first. The order of rows matters:
each sees what those before it have left, and a learned kind says nothing of lines that show another kind.
"""

from __future__ import annotations

from recte.text.untidiness.answers import (
    of_value,
    once,
    one_of_lines,
    take_source,
    take_source_for_thoughts,
    without_number,
    without_quotes,
    without_repeated_end,
    without_source,
)
from recte.text.untidiness.kinds import LearnedKind, UntidyKind
from recte.text.untidiness.learned import (
    ODD_SIGNS,
    learn_answer,
    learn_columns,
    learn_edge,
    learn_sign,
    learn_source,
)
from recte.text.untidiness.letters import (
    COMMON_FORMS,
    SIGNS_OF_MISREAD,
    read_again,
    with_curved_apostrophes,
    with_digits,
    with_forms_of_source,
    with_letters,
    with_letters_like_cyrillic,
    with_letters_like_latin,
    with_plain_signs,
    with_words,
    without_entities,
)
from recte.text.untidiness.removal import join_pieces_at, without, without_signs, without_tag_pairs

__all__ = ["ALL_KINDS", "LEARNED_KINDS", "UNTIDY_KINDS"]

# Without white space, which a word's marks cannot be.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010ffff"
_LABEL = (
    r"(?:corrected|correct|corrections?|output|answer|revised|revision|edited|fixed|improved|rewritten|result|response"
    r"|assistant|hypothesis|hyp|prediction|target|grammatically\s+correct)"
)
_BEFORE_TEXT = r"[\s*_]*[:：][\s*_]*"
_CHAT_ROLE = r"(?:assistant|model|user|system)?"
_BY_SOURCES = "the sources stand for them"
_LEFT_OUT = "the sign was left out, and the words around it stay"

_ENDS_OF_THOUGHTS = ("</think", "</reasoning", "</thought")
_SPECIAL_TOKENS = (
    *(f"<{end}{name}>" for name in ("s", "pad", "bos", "eos", "eot", "sep", "cls", "mask") for end in ("", "/")),
    *("[cls]", "[sep]", "[pad]", "[eos]", "[bos]", "[mask]", "__start__", "__end__", "__eou__"),
)
_TAGS_OF_HTML = tuple(
    f"<{end}{name}"
    for name in ("a", "b", "code", "d", "em", "font", "h", "i", "l", "mark", "o", "p", "s", "t", "u")
    for end in ("", "/")
)
_WORDS_OF_EXPLANATIONS = (
    *("explanation", "note", "change", "reason", "rationale", "correct", "edit", "added", "removed", "replaced"),
    *("fixed", "inserted", "deleted"),
)

_GOES = "He go home ."
_WENT = "He goes home ."

ALL_KINDS: tuple[UntidyKind | LearnedKind, ...] = (
    UntidyKind(
        "think-blocks",
        "have a block of thoughts (<think>)",
        without(
            r"^.*?</(?:think|thinking|reasoning|thought)>\s*", blocks=("think", "thinking", "reasoning", "thought")
        ),
        (_GOES, "<think> It is go . </think> He goes home .", _WENT),
        "<",
        texts=_ENDS_OF_THOUGHTS,
    ),
    UntidyKind(
        "unfinished-thoughts",
        "have a block of thoughts that does not end, and so no output",
        take_source_for_thoughts,
        (_GOES, "<think> It is go .", _GOES),
        "<",
        guess=_BY_SOURCES,
        texts=("<think", "<reasoning", "<thought"),
    ),
    UntidyKind(
        "instructions",
        "have the instruction to the model ([INST] … [/INST])",
        without(r"^.*\[/INST\]\s*"),
        (_GOES, "[INST] Correct: He go home . [/INST] He goes home .", _WENT),
        "[",
        texts=("[/inst]",),
    ),
    UntidyKind(
        "chat-tags",
        "have tags of a chat, such as <|im_end|> or [INST]",
        without(  # each part begins with a letter of its own, by which it is looked for
            rf"<\|im_start\|>\s*{_CHAT_ROLE}\s*|<\|start_header_id\|>\s*+\w*+\s*+<\|end_header_id\|>\s*"
            rf"|<start_of_turn>\s*{_CHAT_ROLE}\s*|<end_of_turn>\s*|<\|[^<>|\s]{{1,40}}\|>|<｜[^<>｜]{{1,40}}｜>"
            r"|\[INST\]\s*"
        ),
        (_GOES, "<|im_start|>assistant He goes home .<|im_end|>", _WENT),
        "<[",
        texts=("<|", "[inst]", "<start_of_turn", "<end_of_turn", "<｜"),
    ),
    UntidyKind(
        "special-tokens",
        "have special tokens of a model, such as </s> or [SEP]",
        without(
            r"(?:</?(?:s|pad|bos|eos|eot|sep|cls|mask)>|\[(?:CLS|SEP|PAD|EOS|BOS|MASK)\]|__(?:start|end|eou)__)\s*"
        ),
        (_GOES, "He goes home . </s>", _WENT),
        "<[_",
        texts=_SPECIAL_TOKENS,
    ),
    UntidyKind(
        "terminal-colours",
        "have marks of a terminal's colours (ESC [31m)",
        without(r"\x1b\[[0-9;]{0,20}[A-Za-z]"),
        (_GOES, "He \x1b[31mgoes\x1b[0m home .", _WENT),
        "\x1b",
    ),
    UntidyKind(
        "decoder-lines",
        "have the id and the score of a decoder before the text (H-12, a number)",
        without(r"^[HDTS]-\d+\t(?:(?:-?\d+(?:\.\d*)?(?:e-?\d+)?|-?inf|nan)\t)?"),
        (_GOES, "H-12\t-0.3125\tHe goes home .", _WENT),
        "\t",
    ),
    UntidyKind(
        "answer-tags",
        "have their text between tags, such as <answer>, and more around them",
        without(
            r"^(?>.*?<(answer|output|corrected|correction|corrected_sentence|result|final|final_answer|response)>)"
            r"(?>(.*?)</\1>).*$",
            r"\2",
            least=0.4,
        ),
        (_GOES, "It is goes. <answer>He goes home .</answer>", _WENT),
        "<",
        texts=("</answer", "</output", "</correct", "</result", "</final", "</response"),
    ),
    UntidyKind(
        "tags",
        "stand between tags of their own",
        without(r"^\s*<([A-Za-z][\w-]{2,})>(.*?)</\1>\s*+$", r"\2"),
        (_GOES, "<corrected>He goes home .</corrected>", _WENT),
        "<",
        texts=("</",),
    ),
    UntidyKind(
        "code-fences",
        "stand in a code fence (```)",
        without(
            r"^.*?```(?:\w+\s*\n|(?:text|txt|plaintext|markdown|md|json|html|xml|python|bash)\s)?+(.*?)```.*$",
            r"\1",
            least=0.4,
        ),
        (_GOES, "``` He goes home . ```", _WENT),
        "`",
        texts=("```",),
    ),
    UntidyKind(
        "html",
        "have tags of HTML, such as <b>goes</b>",
        without(
            r"</?(?:b|i|u|p|em|strong|ins|mark|span|div|font|code|pre|small|sub|sup|br"
            r"|a|li|ul|ol|td|th|tr|table|tbody|html|body|h[1-6])\b[^<>]*>",
            blocks=("del", "s", "strike"),
            least=0.3,
        ),
        (_GOES, "<p>He <del>go</del> <b>goes</b> home .</p>", _WENT),
        "<",
        texts=_TAGS_OF_HTML,
    ),
    UntidyKind(
        "tag-pairs",
        "have tags around words, such as <c>goes</c> or [b]goes[/b]",
        without_tag_pairs,
        (_GOES, "He <c>goes</c> home .", _WENT),
        "/",
        texts=("</", "[/"),
    ),
    UntidyKind(
        "json",
        "are values of JSON or Python, not text",
        of_value,
        (_GOES, '{"corrected": "He goes home ."}', _WENT),
        "{[('\"",
    ),
    UntidyKind(
        "marked-edits",
        "have what was deleted and what was inserted, with marks such as [-go-]",
        without(
            r"\[-[^][]*-\]\s*|\{--[^{}]*--\}\s*|\\DIFdel(?:begin|end)?\s*\{[^{}]*\}\s*|\{\+\+?(?P<i>[^{}]*?)\+?\+\}"
            r"|\\DIFadd\s*\{(?P<a>[^{}]*)\}|\[(?>[^][]*?(?:→|⇒|->|=>))(?P<t>[^][]*)\]",
            lambda match: next((text.strip() for text in match.groups() if text), ""),
            least=0.3,
        ),
        (_GOES, "He [-go-] {+goes+} home .", _WENT),
        "{\\[",
        texts=("[-", "{--", "\\dif", "{+", "→", "->", "⇒", "=>"),
    ),
    UntidyKind(
        "repeated-end",
        "say their last words many times",
        without_repeated_end,
        (_GOES, "He goes home . the end . the end . the end .", _WENT),
        edge="other end",
        guess="words behind them may be lost",
    ),
    LearnedKind("source-pattern", "have the source and the output, all in one way", learn_source, edge="whole"),
    UntidyKind(
        "source-too",
        "have the source and the output",
        without_source,
        (_GOES, "He go home . -> He goes home .", _WENT),
        edge="whole",
    ),
    UntidyKind(
        "repeated",
        "say the same several times",
        once,
        (_GOES, "He goes home . He goes home .", _WENT),
        edge="whole",
    ),
    UntidyKind(
        "lead-ins",
        "begin with a sentence to the user, such as Sure, here is",
        without(
            r"^\W*(?:sure|certainly|of\s+course|absolutely|ok|okay|here\s+is|here's|here\s+are|here\s+'s|i\s+corrected"
            r"|i\s+have\s+corrected|the\s+corrected|no\s+(?:changes?|corrections?|errors?))\b[^:：]{0,160}?"
            rf"{_BEFORE_TEXT}|^(?:sure|certainly|absolutely)\s*!\s*",
            least=0.4,
            others=True,
        ),
        (_GOES, "Sure, here is the corrected sentence: He goes home .", _WENT),
        ":：!",
    ),
    UntidyKind(
        "labels",
        "begin with a label, such as Corrected: or Output:",
        without(
            rf"^\W*(?:the\s+)?{_LABEL}(?:\s+(?:sentence|text|version|output|form))*{_BEFORE_TEXT}",
            least=0.4,
            others=True,
        ),
        (_GOES, "Corrected: He goes home .", _WENT),
        ":：",
    ),
    UntidyKind(
        "explanations",
        "have an explanation behind the sentence",
        without(
            r"(?P<sign>[.!?。！？\"'”)(\[（]|(?<!\s)[^\S\n]*+\n)\s*(?:[*_]*(?:explanations?|note|changes?(?:\s+made)?|reasons?|rationale"
            r"|corrections?(?:\s+made)?|edits?(?:\s+made)?)[*_\s]*[:：]\s*\S.*"
            r"|(?<=[(\[（\s])(?:(?:i|we)\s+)?(?:have\s+)?(?:changed|added|removed|replaced|corrected|fixed|inserted"
            r"|deleted|no\s+(?:changes?|corrections?))\b[^()]{0,400}[)\]）]\s*)$",
            lambda match: "" if match["sign"][-1] in "([（\n" else match["sign"],
            least=0.4,
            others=True,
        ),
        (_GOES, "He goes home . (Explanation: go needs an ending.)", _WENT),
        ":：(（[",
        texts=_WORDS_OF_EXPLANATIONS,
    ),
    UntidyKind(
        "several-lines",
        "hold several lines, of which one is like the source",
        one_of_lines,
        (_GOES, "It needs an ending.\n\nHe goes home .\n", _WENT),
        "\n",
    ),
    UntidyKind(
        "no-change",
        "say that nothing is to be changed, and not the sentence",
        take_source,
        (_GOES, "No changes needed.", _GOES),
    ),
    UntidyKind(
        "masked-digits",
        "have 0 or # for the digits of their sources",
        with_digits,
        ("In 1995 he go .", "In 0000 he goes .", "In 1995 he goes ."),
        "0#",
        alone=False,
        guess="the digits were taken from the sources",
        share=0.005,
    ),
    UntidyKind(
        "markdown",
        "have signs of Markdown, such as **goes**",
        without(
            r"~~.*?~~\s*|\*\*(?P<b>[^*]+)\*\*|__(?<!\w__)(?P<u>[^_]+)__(?!\w)"
            r"|\*(?<![\w*]\*)(?P<i>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|#(?<=^#)#{0,5}\s+",
            lambda match: next((text.strip() for text in match.groups() if text), ""),
            least=0.3,
        ),
        (_GOES, "He **goes** home .", _WENT),
        "*~_#",
    ),
    UntidyKind(
        "numbering",
        "begin with a number that the source has not",
        without_number,
        (_GOES, "12. He goes home .", _WENT),
        "0-9",
        alone=False,
    ),
    UntidyKind(
        "bullets",
        "begin with the sign of a list",
        without(r"^\s*[-*•>+]\s+"),
        (_GOES, "- He goes home .", _WENT),
        "-*•>+",
        alone=False,
    ),
    UntidyKind(
        "quoted",
        "stand between quotation marks that the source has not",
        without_quotes,
        (_GOES, '"He goes home ."', _WENT),
        "\"'“‘«„「",
        alone=False,
    ),
    UntidyKind(
        "quotes",
        "have other quotation marks, apostrophes, hyphens or ellipses than their sources",
        with_plain_signs,
        ('It \'s a " yes "', "It ’s a “ no ”", 'It \'s a " no "'),
        "“”„‟″‘’‛´ʼ`…\u2010-\u2014\u2212",
        alone=False,
    ),
    UntidyKind(
        "tick-quotes",
        "have '' for the quotation marks of their sources",
        with_plain_signs,
        ('He say " no "', "He says '' no ''", 'He says " no "'),
        "'",
        texts=("''",),
        alone=False,
        share=0.005,
    ),
    UntidyKind(
        "plain-apostrophes",
        "have ' for the apostrophes of their sources",
        with_curved_apostrophes,
        ("It’s a yes", "It's a no", "It’s a no"),
        "'",
        alone=False,
        share=0.005,
    ),
    UntidyKind(
        "bpe",
        "have pieces of words, cut by BPE (@@)",
        without(r"@@(?: |$)"),
        (_GOES, "He go@@ es home .", _WENT),
        "@",
        texts=("@@",),
    ),
    UntidyKind(
        "joiners",
        "have a mark next to signs that a tokeniser parted, such as @-@",
        without(r" ?@([-/:.,&'])@ ?", r"\1"),
        ("a well-known man", "the well @-@ known man", "the well-known man"),
        "@",
    ),
    UntidyKind(
        "sentencepiece",
        "have pieces of words, cut by SentencePiece (▁)",
        join_pieces_at("▁"),
        (_GOES, "▁He ▁go es ▁home ▁.", _WENT),
        "▁",
    ),
    UntidyKind(
        "wordpiece",
        "have pieces of words, cut by WordPiece (##)",
        without(r" ##(?=\w)"),
        (_GOES, "He go ##es home .", _WENT),
        "#",
        texts=(" ##",),
    ),
    UntidyKind(
        "byte-pieces",
        "have pieces of words in bytes (Ġ)",
        join_pieces_at("Ġ"),
        (_GOES, "He Ġgo es Ġhome Ġ.", _WENT),
        "Ġ",
    ),
    UntidyKind(
        "byte-names",
        "have letters in bytes, such as <0xE2>",
        without(
            r"(?:<0x[0-9A-Fa-f]{2}>)+",
            lambda match: bytes.fromhex(match[0].replace("<0x", "").replace(">", "")).decode("utf-8", "replace"),
        ),
        ("the café are open", "the caf<0xC3><0xA9> is open", "the café is open"),
        "<",
        texts=("<0x",),
    ),
    UntidyKind(
        "cyrillic-letters",
        "have Cyrillic or Greek letters that look like those of their sources",
        with_letters_like_latin,
        (_GOES, "Hе gоes home .", _WENT),
        "\u0370-\u052f",
        alone=False,
    ),
    UntidyKind(
        "latin-letters",
        "have Latin letters that look like those of their sources",
        with_letters_like_cyrillic,
        ("Він дома .", "Biн вдома .", "Він вдома ."),
        "A-Za-z",
        alone=False,
    ),
    UntidyKind(
        "traditional-characters",
        "have traditional characters where their sources have simplified ones",
        with_forms_of_source,
        ("这个学校很好", "這個學校非常好", "这个学校非常好"),
        COMMON_FORMS[0],
        alone=False,
    ),
    UntidyKind(
        "simplified-characters",
        "have simplified characters where their sources have traditional ones",
        with_forms_of_source,
        ("這個學校很好", "这个学校非常好", "這個學校非常好"),
        COMMON_FORMS[1],
        alone=False,
    ),
    UntidyKind(
        "unknown-words",
        "have a sign for unknown words, such as <unk>",
        with_words,
        ("He go to Kyoto .", "He goes to <unk> .", "He goes to Kyoto ."),
        "<[⁇@",
        guess="the words were taken from the sources",
        texts=("<unk>", "<num>", "[unk]", "⁇", "@unk@"),
    ),
    UntidyKind(
        "replacement-characters",
        "have U+FFFD where a letter was lost",
        with_letters,
        ("the café are open", "the caf\ufffd is open", "the café is open"),
        "\ufffd",
        guess="the letters were taken from the sources",
    ),
    UntidyKind(
        "misread",
        "have letters that were read in the wrong encoding, such as Ã©",
        read_again,
        ("the café are open", "the cafÃ© is open", "the café is open"),
        SIGNS_OF_MISREAD,
    ),
    UntidyKind(
        "entities",
        "have entities such as &quot; that the source has not",
        without_entities,
        ('He say " no "', "He says &quot; no &quot;", 'He says " no "'),
        "&",
    ),
    UntidyKind(
        "escapes",
        "have signs written with a backslash, such as \\u00e9",
        without(
            r"\\u[0-9a-fA-F]{4}|\\[\"'nt/]",
            lambda match: (
                chr(int(match.group()[2:], 16))
                if match.group()[1] in "uU"
                else {"n": " ", "t": " "}.get(match.group()[1], match.group()[1])
            ),
        ),
        ("the café are open", "the caf\\u00e9 is open", "the café is open"),
        "\\",
    ),
    UntidyKind(
        "bracket-words",
        "have words for brackets, such as -LRB-",
        without(
            r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-",
            lambda match: dict(zip(("LRB", "RRB", "LSB", "RSB", "LCB", "RCB"), "()[]{}", strict=True))[
                match.group().strip("-").upper()
            ],
        ),
        ("He go ( home )", "He goes -LRB- home -RRB-", "He goes ( home )"),
        "-",
        share=0.0,
        texts=("-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"),
    ),
    UntidyKind(
        "invisible",
        "have characters that nobody sees, such as U+200B, where the source has none",
        without_signs(_INVISIBLE),
        (_GOES, "\u200bHe go\u00ades home .", _WENT),
        _INVISIBLE,
    ),
    UntidyKind(
        "control-characters",
        "have control characters that the source has not",
        without_signs(_CONTROL),
        (_GOES, "He goes\x07 home .", _WENT),
        _CONTROL,
    ),
    UntidyKind(
        "private-use",
        "have private-use characters that the source has not",
        without_signs(_PRIVATE),
        (_GOES, "He goes\ue001 home .", _WENT),
        _PRIVATE,
    ),
    LearnedKind("columns", "have columns, and the output in one of them", learn_columns, "\t,;|"),
    LearnedKind("prefix", "have more at the beginning than their sources", learn_edge(last=False), edge="begin"),
    LearnedKind("suffix", "have more at the end than their sources", learn_edge(last=True), edge="end"),
    LearnedKind("same-answer", "have one answer for different sources", learn_answer, guess=_BY_SOURCES),
    LearnedKind("odd-sign", "have a sign that their sources have not", learn_sign, ODD_SIGNS, guess=_LEFT_OUT),
)
UNTIDY_KINDS = tuple(kind for kind in ALL_KINDS if isinstance(kind, UntidyKind))
LEARNED_KINDS = tuple(kind for kind in ALL_KINDS if isinstance(kind, LearnedKind))
