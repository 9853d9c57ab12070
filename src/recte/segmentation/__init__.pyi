from recte.alignment.projection import normalised as normalised
from recte.alignment.projection import segmented as segmented
from recte.segmentation.normalisation import Normalisation as Normalisation
from recte.segmentation.segmenters import Characters as Characters
from recte.segmentation.segmenters import SegmentedBy as SegmentedBy
