"""Formulas of CTL and CTL* over BEEM instances: every engine gives the verdicts of the committed table (ctl/*.properties).

    TIDELINE_BINARY=build/release/tideline python3 tests/conformance/ctl_beem_test.py

The models are found through TIDELINE_SHARED (default ../shared); without them everything is skipped.
"""

import os
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


class CtlBeemTest(unittest.TestCase):
    def test_engines_agree_with_the_table(self):
        tables = sorted((HERE / "ctl").glob("*.properties"))
        self.assertGreaterEqual(len(tables), 20)
        if not BEEM.is_dir():
            self.skipTest(f"no models in {BEEM}")
        for table in tables:
            instance, kind = table.name.removesuffix(".properties").rsplit(".", 1)
            for engine in ENGINES[kind]:
                with self.subTest(instance=instance, kind=kind, engine=engine), tempfile.TemporaryDirectory() as folder:
                    finished = subprocess.run(
                        [BINARY, "check", str(BEEM / f"{instance}.dve"), "--properties", str(table), "--expect", "--quiet", "--engine", engine],
                        capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "TMPDIR": folder})
                    self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)

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
