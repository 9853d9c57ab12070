from recte.evaluation.evaluation import Evaluation as Evaluation
from recte.evaluation.evaluation import evaluate as evaluate
