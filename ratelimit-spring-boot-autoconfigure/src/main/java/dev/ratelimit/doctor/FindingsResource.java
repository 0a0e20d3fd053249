package dev.ratelimit.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.EndpointPart;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.base.Finding;
import dev.ratelimit.rule.EnumNames;

/**
 * The findings of the doctor as {@code findings} of the live endpoint and as
 * {@code doctor} of the endpoint {@code ratelimit}.
 *
 * @param doctor the doctor
 */
record FindingsResource(Doctor doctor) implements LiveResource {

	@Override
	public String name() {
		return "findings";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		return Optional.of(findings(this.doctor));
	}

	/**
	 * The findings as a part of the endpoint {@code ratelimit}.
	 * @param doctor the doctor
	 * @return the part
	 */
	static EndpointPart part(Doctor doctor) {
		return new EndpointPart("doctor", () -> findings(doctor));
	}

	private static Map<String, Object> findings(Doctor doctor) {
		return Map.of("findings", doctor.examine().stream().map(FindingsResource::description).toList());
	}

	private static Map<String, Object> description(ActiveFinding active) {
		Finding finding = active.finding();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("code", finding.code().id());
		description.put("severity", EnumNames.of(finding.code().severity()));
		description.put("title", finding.code().title());
		description.put("location", finding.location());
		description.put("detail", finding.detail());
		description.put("link", finding.code().link());
		description.put("since", active.since().toString());
		finding.count().ifPresent((count) -> description.put("count", count));
		return description;
	}

}
