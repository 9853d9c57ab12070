from recte.studies.conservatism.change_profiles import ConservatismStudy as ConservatismStudy
from recte.studies.conservatism.change_profiles import conservatism_of as conservatism_of
from recte.studies.conservatism.sentence_cutting import SentencePair as SentencePair
from recte.studies.conservatism.sentence_cutting import cut_sentences as cut_sentences
