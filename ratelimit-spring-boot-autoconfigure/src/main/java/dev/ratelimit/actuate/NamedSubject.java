package dev.ratelimit.actuate;

import java.util.List;
import java.util.Optional;

/**
 * The subject of a request to an endpoint, in the path or in the parameter
 * {@code subject}. A path loses empty segments on its way, and HTTP clients resolve its
 * dot segments, so the parameter can name subjects that a path cannot.
 */
final class NamedSubject {

	private NamedSubject() {
	}

	/**
	 * The subject.
	 * @param segments the segments of the path that name it
	 * @param parameter the parameter that names it
	 * @return the subject
	 * @throws IllegalArgumentException if it is missing, or named twice
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
		return subject;
	}

}
