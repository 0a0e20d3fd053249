package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.ShownText;

/**
 * The subject of a request to an endpoint, in the path or in the parameter
 * {@code subject}. A path cannot contain all subjects: empty segments are removed in
 * transit, and HTTP clients resolve dot segments. The parameter has no such limits.
 */
final class NamedSubject {

	private NamedSubject() {
	}

	/**
	 * Return the subject.
	 * @param segments the segments of the path that contain the subject
	 * @param parameter the parameter that contains the subject
	 * @return the subject
	 * @throws IllegalArgumentException if it is missing, in both the path and the
	 * parameter, or the hash that was shown instead of a subject
	 */
	static String of(List<String> segments, Optional<String> parameter) {
		String inPath = String.join("/", segments);
		if (parameter.isPresent() && !inPath.isEmpty()) {
			throw new IllegalArgumentException(
					"set the subject in the path or in the parameter 'subject', not in both");
		}
		String subject = parameter.orElse(inPath);
		if (subject.isEmpty()) {
			throw new IllegalArgumentException("set the subject in the path or in the parameter 'subject'");
		}
		if (Subjects.isConcealed(subject)) {
			throw new IllegalArgumentException(
					"a hash such as '" + ShownText.of(subject) + "' identifies no bucket: name the subject itself");
		}
		return subject;
	}

}
