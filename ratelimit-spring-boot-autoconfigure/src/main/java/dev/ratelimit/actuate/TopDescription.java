package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.telemetry.RejectedSubject;
import dev.ratelimit.telemetry.TopSubjects;
import org.jspecify.annotations.Nullable;

/**
 * Internal: describes the subjects that are rejected most often.
 */
public final class TopDescription {

	private static final int DEFAULT_MINUTES = 15;

	private TopDescription() {
	}

	/**
	 * Describe the subjects. Blocks, for some seconds at most.
	 * @param subjects finds them
	 * @param rule the rule's id; all rules if there is none
	 * @param minutes how many minutes to look back, if not the usual
	 * @param subject a subject to find, as it is or as it is shown
	 * @return the description
	 * @throws IllegalArgumentException if a parameter is invalid; the message tells why
	 * @throws InterruptedException if interrupted
	 * @throws ExecutionException if Redis cannot answer
	 * @throws TimeoutException if Redis does not answer
	 */
	public static Map<String, Object> of(TopSubjects subjects, @Nullable String rule, @Nullable Integer minutes,
			@Nullable String subject) throws InterruptedException, ExecutionException, TimeoutException {
		TopSubjects.Top top = subjects
			.find(Optional.ofNullable(rule), (minutes != null) ? minutes : DEFAULT_MINUTES,
					Optional.ofNullable(subject))
			.get(SubjectStatus.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		Map<String, Object> rules = new LinkedHashMap<>();
		top.rules().forEach((id, found) -> rules.put(id, found.stream().map(TopDescription::of).toList()));
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("missed", top.missed());
		description.put("rules", rules);
		return description;
	}

	private static Map<String, Object> of(RejectedSubject found) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("subject", found.subject());
		description.put("atLeast", found.atLeast());
		return description;
	}

}
