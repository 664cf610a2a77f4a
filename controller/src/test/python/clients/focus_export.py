"""The FinOps Foundation's validator of FOCUS on an export, with the rules that its package has; and on one with faults.

It ends with 0 whatever it finds, so its lines are read. Two rules are alternatives of which one always fails: such a
failure counts only if the rule that offers them fails as well.
"""

import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import focus_validator
import polars

from targets import TARGETS

VERSION = "1.2.0.1"
# What the export tells; the others are about SKUs, sub accounts, commitments, negotiated prices and currencies.
CRITERIA = (
    "AVAILABILITY_ZONE_SUPPORTED",
    "BILLING_BASED_ON_PROVISIONED_RESOURCES_SUPPORTED",
    "MULTIPLE_PRICING_CATEGORIES_SUPPORTED",
    "REGION_SUPPORTED",
    "RESOURCE_TYPE_ASSIGNMENT_SUPPORTED",
    "TAGGING_SUPPORTED",
)
PACKAGE = pathlib.Path(focus_validator.__file__).parent
RULES = json.loads((PACKAGE / "rules" / f"model-{VERSION}.json").read_text())["ModelRules"]
LINE = re.compile(r"^\S+ (\S+): (PASS|FAIL|SKIPPED) +(.*)$", re.MULTILINE)


def alternatives():
    """The rule that offers it, by the name of each alternative."""
    offered = {}
    for name, rule in RULES.items():
        requirement = rule["ValidationCriteria"]["Requirement"]
        if requirement.get("CheckFunction") == "OR":
            for item in requirement["Items"]:
                offered[item.get("ModelRuleId")] = name
    return offered


def results(table):
    """What the validator says of each rule: whether it passes, and its sentence."""
    with tempfile.TemporaryDirectory() as folder:
        # CSV has no types: an account of digits alone would be read as a number.
        file = pathlib.Path(folder) / "export.parquet"
        table.write_parquet(file)
        command = [
            sys.executable, "-c", "from focus_validator.main import main; main()", "--data-file", str(file),
            "--validate-version", VERSION, "--block-download", "--applicability-criteria", ",".join(CRITERIA),
        ]
        # It finds a file of its own only from there.
        said = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True).stdout
    found = {name: (outcome, sentence) for name, outcome, sentence in LINE.findall(said)}
    assert found, said
    return found


def faults(found):
    offers = alternatives()
    return {
        name: sentence
        for name, (outcome, sentence) in found.items()
        if outcome == "FAIL" and found.get(offers.get(name), ("FAIL",))[0] != "PASS"
    }


export = polars.read_csv(
    TARGETS["export"], schema_overrides={"BillingAccountId": polars.String, "BillingAccountName": polars.String})
found = results(export)
assert not faults(found), json.dumps(faults(found), indent=1)
passed = sum(outcome == "PASS" for outcome, _ in found.values())
assert passed > 150, f"only {passed} of {len(found)} rules were checked"

broken = export.with_columns(InvoiceIssuerName=polars.lit("a reseller")).drop("InvoiceId", "RegionName")
missed = {"BilledCost-C-005-C", "CostAndUsage-D-033-O", "CostAndUsage-D-062-C"} - faults(results(broken)).keys()
assert not missed, f"these rules found no fault in an export that breaks them: {missed}"
print("focus-validator", importlib.metadata.version("focus-validator"), "passes", passed, "rules of FOCUS", VERSION)
