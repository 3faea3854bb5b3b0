"""`halflabel` again and again without importing it again: a script that forks for every command.

Reads a request a line, as JSON: {"start": [arguments], "before": code, "log": file} answers the process's id,
{"wait": id} the code it has ended with.
"""

import json
import os
import signal
import sys

import torch

import halflabel.run.store  # noqa: F401  what a fit imports on its way
from halflabel.checkpoint import checkpointed  # noqa: F401
from halflabel.cli import app
from halflabel.methods import method_classes


def start(arguments: list[str], before: str, log: str) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # off, if the server runs in the background
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(out, 1)
        os.dup2(out, 2)
        exec(before, {})
        app(arguments, prog_name="halflabel")
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    torch.set_num_threads(1)
    method_classes()
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            answer = os.waitstatus_to_exitcode(os.waitpid(asked["wait"], 0)[1])
        else:
            answer = start(asked["start"], asked["before"], asked["log"])
        print(json.dumps(answer), flush=True)
