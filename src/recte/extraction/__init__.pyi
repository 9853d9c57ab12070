from recte.annotation.annotated import Annotated as Annotated
from recte.annotation.annotated import Annotator as Annotator
from recte.extraction.alignment import Span as Span
from recte.extraction.extractor import TypeRules as TypeRules
from recte.extraction.language import Language as Language
from recte.extraction.language import RuleLanguage as RuleLanguage
from recte.options import option as option
