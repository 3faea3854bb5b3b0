"""What P and U alone tell about a graph, its labels, and how far to trust an estimate of the prior."""

from halflabel.diagnose.doubts import Doubt, doubts
from halflabel.diagnose.given import count_isolated, describe_links, links_among, warnings_about
from halflabel.diagnose.heterophily import expected_heterophily
from halflabel.diagnose.trust import PriorDiagnosis, diagnose_prior

__all__ = [
    "Doubt", "doubts", "count_isolated", "describe_links", "links_among", "warnings_about",
    "PriorDiagnosis", "diagnose_prior", "expected_heterophily",
]
