"""Writing: whole or not at all, one writer at a time, whatever the disk does."""

from halflabel.files.locks import only_writer
from halflabel.files.whole import whole_directory, whole_file, writing

__all__ = ["only_writer", "whole_directory", "whole_file", "writing"]
