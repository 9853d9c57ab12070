from recte.human.judge_agreement import JudgmentSummary as JudgmentSummary
from recte.human.judge_agreement import summarise as summarise
from recte.human.judgments import Judgments as Judgments
from recte.human.judgments import Preference as Preference
from recte.human.ranking import HumanRanking as HumanRanking
from recte.human.ranking import rank_systems as rank_systems
from recte.human.trueskill import TrueSkill as TrueSkill
