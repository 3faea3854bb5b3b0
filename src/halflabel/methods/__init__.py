"""Methods, one a file. The package can be called: `halflabel.methods()` gives their classes by name.

>>> import halflabel as hl
>>> hl.methods()["gpl"]
<class 'halflabel.methods.gpl.GPL'>
"""

import sys
from types import ModuleType

from halflabel.methods.registry import method_classes

__all__ = ["method_classes"]


class _CallablePackage(ModuleType):
    """Importing this package binds it to `halflabel.methods`, where people call a function of that name."""

    __call__ = staticmethod(method_classes)


sys.modules[__name__].__class__ = _CallablePackage
