package dev.ratelimit.api;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;

/**
 * Finds the rules that may have buckets of a subject.
 */
final class SubjectKeys {

	private SubjectKeys() {
	}

	/**
	 * Whether a key has subjects of a form.
	 * @param key the key
	 * @param subject the subject, such as {@code user:alice}
	 * @return whether all parts are of the same kinds
	 */
	static boolean fit(RuleKey key, String subject) {
		List<String> words = Stream.of(subject.split("\\|")).map((part) -> part.split(":", 2)[0]).toList();
		List<KeyPart> parts = key.parts();
		if (words.size() != parts.size()) {
			return false;
		}
		for (int i = 0; i < words.size(); i++) {
			KeyPart.Kind kind = parts.get(i).kind();
			boolean caller = kind == KeyPart.Kind.CALLER && (words.get(i).equals("user") || words.get(i).equals("ip"));
			if (!caller && !kind.word().equals(words.get(i))) {
				return false;
			}
		}
		return true;
	}

}
