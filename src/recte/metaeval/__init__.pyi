from recte.metaeval.ceiling import human_ceiling as human_ceiling
from recte.metaeval.scores import HumanScores as HumanScores
from recte.metaeval.scores import MetricScores as MetricScores
from recte.metaeval.sentence_correlation import SentenceLevel as SentenceLevel
from recte.metaeval.sentence_correlation import sentence_level as sentence_level
from recte.metaeval.system_correlation import SystemLevel as SystemLevel
from recte.metaeval.system_correlation import system_level as system_level
