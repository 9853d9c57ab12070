from recte.edits.projection import normalised as normalised
from recte.edits.projection import segmented as segmented
from recte.text.normalisation import Normalisation as Normalisation
from recte.text.segmenters import Characters as Characters
from recte.text.segmenters import SegmentedBy as SegmentedBy
