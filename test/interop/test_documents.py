"""What the guides quote from the program stands in the program."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def source_text():
    parts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.cc"))
             if not re.search(r"_(test|fuzz|testing)\.cc$", path.name)]
    # Literals that are broken over lines are one text.
    return re.sub(r'"\s*\n\s*"', "", "\n".join(parts)).replace('\\"', '"')


def quoted_messages(name):
    """The quotes of the first column of tables that begin with 'it says'."""
    inside = False
    for line in (ROOT / "docs" / "guide" / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            inside = False
        elif line.startswith("| it says"):
            inside = True
        elif inside:
            yield from re.findall(r"`([^`]+)`", line.split(" | ")[0])


@pytest.mark.parametrize("name", ["s3.md", "troubleshooting.md"])
def test_quoted_messages_are_said(name, source_text):
    quotes = list(quoted_messages(name))
    assert len(quotes) > 5
    missing = [piece for quote in quotes for piece in quote.split("…")
               if piece.strip() and piece.strip() not in source_text]
    assert not missing, "The program says nothing like this"


def test_links_of_documents_lead_somewhere():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("README.md"),
                 *(ROOT / "test").rglob("README.md")]
    broken = [f"{document.relative_to(ROOT)}: {link}" for document in documents
              for link in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
              if "://" not in link and not (document.parent / link).exists()]
    assert not broken
