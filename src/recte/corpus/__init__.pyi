from recte.corpus.corpus import Corpus as Corpus
from recte.corpus.corpus import System as System
from recte.corpus.counts import Counts as Counts
from recte.corpus.sentence import Annotation as Annotation
from recte.corpus.sentence import Edit as Edit
from recte.corpus.sentence import Sentence as Sentence
