"""`python -m halflabel` is `halflabel`."""

from halflabel.cli import main

if __name__ == "__main__":
    main()
