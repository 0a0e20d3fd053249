package dev.ratelimit.telemetry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.SubjectStatus;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.UnavailableException;

/**
 * Internal: {@code top}, the subjects that are rejected most often.
 *
 * @param subjects finds the subjects
 * @param addresses the addresses by which clients are counted
 */
record LiveTopResource(TopSubjects subjects, ClientAddresses addresses) implements LiveResource {

	private static final int DEFAULT_MINUTES = 15;

	@Override
	public String name() {
		return "top";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		int minutes = request.value("minutes").map(LiveTopResource::minutes).orElse(DEFAULT_MINUTES);
		Optional<String> subject = request.value("subject").map(this.addresses::counted);
		return Optional
			.of(describe(UnavailableException.await(this.subjects.find(request.value("rule"), minutes, subject),
					SubjectStatus.TIMEOUT_MILLIS, "the store did not respond")));
	}

	private static int minutes(String text) {
		try {
			return Math.toIntExact(LiveRequest.number("minutes", text));
		}
		catch (ArithmeticException ex) {
			throw new IllegalArgumentException("'minutes' is too large", ex);
		}
	}

	private static Map<String, Object> describe(TopSubjects.Top top) {
		Map<String, Object> rules = new LinkedHashMap<>();
		top.rules().forEach((id, found) -> rules.put(id, found.stream().map(LiveTopResource::describe).toList()));
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("missed", top.missed());
		description.put("rules", rules);
		return description;
	}

	private static Map<String, Object> describe(RejectedSubject found) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("subject", found.subject());
		description.put("atLeast", found.atLeast());
		return description;
	}

}
