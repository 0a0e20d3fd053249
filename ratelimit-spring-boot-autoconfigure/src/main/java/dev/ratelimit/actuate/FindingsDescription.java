package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.doctor.ActiveFinding;
import dev.ratelimit.doctor.Doctor;
import dev.ratelimit.doctor.Finding;
import dev.ratelimit.rule.EnumNames;

/**
 * The doctor's findings in words.
 */
final class FindingsDescription {

	private FindingsDescription() {
	}

	static Map<String, Object> of(Doctor doctor) {
		return Map.of("findings", doctor.examine().stream().map(FindingsDescription::of).toList());
	}

	private static Map<String, Object> of(ActiveFinding diagnosis) {
		Finding finding = diagnosis.finding();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("code", finding.code().id());
		description.put("severity", EnumNames.of(finding.code().severity()));
		description.put("title", finding.code().title());
		description.put("culprit", finding.location());
		description.put("detail", finding.detail());
		description.put("link", finding.code().link());
		description.put("since", diagnosis.since().toString());
		finding.count().ifPresent((count) -> description.put("count", count));
		return description;
	}

}
