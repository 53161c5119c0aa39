"""Keeps the stock of a small warehouse and answers what has to be ordered."""

from __future__ import annotations

import csv
import logging
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Iterable, Iterator, Optional

logger = logging.getLogger(__name__)

REORDER_HORIZON_DAYS = 14
DEFAULT_LEAD_TIME = timedelta(days=5)


@dataclass(frozen=True)
class Movement:
    article: str
    quantity: int
    booked_on: date

    @property
    def is_outgoing(self) -> bool:
        return self.quantity < 0


@dataclass
class StockLedger:
    movements: list[Movement] = field(default_factory=list)
    _totals: dict[str, int] = field(default_factory=lambda: defaultdict(int), repr=False)

    def book(self, movement: Movement) -> None:
        remaining = self._totals[movement.article] + movement.quantity
        if remaining < 0:
            raise ValueError(f"{movement.article!r}: only {self._totals[movement.article]} left, {-movement.quantity} wanted")
        self._totals[movement.article] = remaining
        self.movements.append(movement)

    def on_hand(self, article: str) -> int:
        return self._totals.get(article, 0)

    def daily_usage(self, article: str, today: date, window_days: int = 30) -> float:
        since = today - timedelta(days=window_days)
        used = sum(-m.quantity for m in self.movements if m.article == article and m.is_outgoing and m.booked_on >= since)
        return used / window_days

    def articles_to_order(self, today: Optional[date] = None) -> Iterator[tuple[str, int]]:
        today = today or date.today()
        for article in sorted(self._totals):
            usage = self.daily_usage(article, today)
            needed = usage * (REORDER_HORIZON_DAYS + DEFAULT_LEAD_TIME.days)
            missing = round(needed) - self.on_hand(article)
            if missing > 0:
                yield article, missing


def read_movements(path: Path) -> Iterable[Movement]:
    with path.open(newline="", encoding="utf-8") as handle:
        for number, row in enumerate(csv.DictReader(handle, delimiter=";"), start=2):
            try:
                yield Movement(row["article"].strip(), int(row["quantity"]), date.fromisoformat(row["date"]))
            except (KeyError, ValueError) as error:
                logger.warning("line %d of %s skipped: %s", number, path.name, error)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-8s %(message)s")
    ledger = StockLedger()
    for entry in read_movements(Path("movements.csv")):
        ledger.book(entry)
    for name, count in ledger.articles_to_order():
        print(f"{name:<30}{count:>8}")
