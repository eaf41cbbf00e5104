"""Formulas of CTL and CTL* over BEEM instances: every engine gives the verdicts of the committed table (ctl/*.properties).

    TIDELINE_BINARY=build/release/tideline python3 tests/conformance/ctl_beem_test.py

The models are found through TIDELINE_SHARED (default ../shared); without them everything is skipped.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = str(Path(os.environ.get("TIDELINE_BINARY", ROOT / "build" / "release" / "tideline")).resolve())
BEEM = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared")) / "beem"
ENGINES = {"ctl": ("labelling", "prod", "local", "ledger"), "ctlstar": ("labelling", "ledger")}
PATIENCE = 300  # seconds
SLOW = {"bakery.4", "peterson.2", "peterson.3"}  # `make test-long` has them: TIDELINE_CTL_SLOW=1
HAS_SLOW = os.environ.get("TIDELINE_CTL_SLOW", "") == "1"


class CtlBeemTest(unittest.TestCase):
    def test_engines_agree_with_the_table(self):
        tables = sorted((HERE / "ctl").glob("*.properties"))
        self.assertGreaterEqual(len(tables), 80)
        if not BEEM.is_dir():
            self.skipTest(f"no models in {BEEM}")
        for table in tables:
            instance, kind = table.name.removesuffix(".properties").rsplit(".", 1)
            if instance in SLOW and not HAS_SLOW:
                continue
            for engine in ENGINES[kind]:
                with self.subTest(instance=instance, kind=kind, engine=engine), tempfile.TemporaryDirectory() as folder:
                    finished = subprocess.run(
                        [BINARY, "check", str(BEEM / f"{instance}.dve"), "--properties", str(table), "--expect", "--quiet", "--engine", engine],
                        capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "TMPDIR": folder})
                    self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)

    def test_layer_by_layer(self):
        """scc-ctl where it applies: AG EF and AG AF of instances with a measure that is monotonic (scripts/beem_measures.csv)."""
        if not BEEM.is_dir():
            self.skipTest(f"no models in {BEEM}")
        rows = (line.split(",", 3) for line in (ROOT / "scripts" / "beem_measures.csv").read_text().splitlines())
        measures = {model: progress.strip('"') for model, _, monotonic, progress in rows if monotonic == "yes"}
        compared = 0
        for table in sorted((HERE / "ctl").glob("*.ctl.properties")):
            instance = table.name.removesuffix(".ctl.properties")
            if instance not in measures:
                continue
            for line in table.read_text().splitlines():
                found = re.fullmatch(r"(.*) (holds|violated): +ctl (AG (?:EF|AF) [^&|()]*)", line)
                if not found:
                    continue
                with self.subTest(instance=instance, formula=found[3]):
                    finished = subprocess.run(
                        [BINARY, "check", str(BEEM / f"{instance}.dve"), "--ctl", found[3], "--engine", "scc-ctl", "--progress", measures[instance], "--quiet"],
                        capture_output=True, text=True, timeout=PATIENCE)
                    self.assertEqual(finished.returncode, 0 if found[2] == "holds" else 1, finished.stdout + finished.stderr)
                    compared += 1
        self.assertGreater(compared, 3)

    def test_the_table_has_both_verdicts(self):
        verdicts = {"holds": 0, "violated": 0}
        for table in (HERE / "ctl").glob("*.ctl.properties"):
            lines = [line.split(":", 1)[0] for line in table.read_text().splitlines()]
            self.assertGreaterEqual(len(lines), 5, table.name)
            for verdict in verdicts:
                found = sum(line.endswith(verdict) for line in lines)
                self.assertGreater(found, 0, f"{table.name} {verdict}")
                verdicts[verdict] += found
        self.assertGreater(min(verdicts.values()), 20)


if __name__ == "__main__":
    unittest.main()
