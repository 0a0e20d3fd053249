package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Reports live rules that are not applied, or that may be out of date.
 *
 * @param rules the live rules
 */
record LiveRulesCheck(LiveRules rules) implements Check {

	@Override
	public List<Finding> findings() {
		LiveStatus status = this.rules.status();
		List<Finding> findings = new ArrayList<>();
		status.rejected()
			.ifPresent((reason) -> findings
				.add(new Finding(FindingCode.REJECTED_RULES, location(status), "It was rejected, and version "
						+ status.version() + " stays active: " + reason + ((reason.endsWith(".")) ? "" : "."))));
		status.notApplied()
			.forEach((entry) -> findings.add(new Finding(FindingCode.OVERRIDE_NOT_APPLIED, entry.location(),
					"The entry has no effect: " + entry.reason() + ".")));
		status.changedBase()
			.forEach((change) -> findings.add(new Finding(FindingCode.OVERRIDE_NOT_APPLIED, status.source(),
					"An override was made for another value: " + change + ".")));
		this.rules.listenerTrouble()
			.ifPresent((trouble) -> findings.add(new Finding(FindingCode.FAILING_LISTENER, "RulesChangedEvent",
					trouble + ". The rules are active all the same.")));
		if (status.silent()) {
			findings.add(new Finding(FindingCode.SILENT_SOURCE, status.source(),
					"It was last read " + status.sourceAgeMillis() / 1000 + " s ago"
							+ status.trouble().map((why) -> ": " + why).orElse("") + ". Version " + status.version()
							+ " stays active."));
		}
		return findings;
	}

	private static String location(LiveStatus status) {
		return status.rejectedVersion().isPresent() ? status.source() + " " + status.rejectedVersion().getAsLong()
				: status.source();
	}

}
