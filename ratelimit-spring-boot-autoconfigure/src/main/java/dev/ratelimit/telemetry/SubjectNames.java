package dev.ratelimit.telemetry;

import java.util.Arrays;
import java.util.HexFormat;

import dev.ratelimit.engine.Subjects;
import dev.ratelimit.hash.SecretHash;

/**
 * The names under which subjects are shown. Thread-safe.
 */
@FunctionalInterface
interface SubjectNames {

	/** Plain subjects, which may be personal data. */
	SubjectNames PLAIN = (subject) -> subject;

	/**
	 * Return the name of a subject.
	 * @param subject the subject, in canonical form
	 * @return its name
	 */
	String of(String subject);

	/**
	 * Return names that identify subjects without revealing them: {@code user:~#} and a
	 * hash instead of {@code user:alice}. Each part of a subject is hashed separately.
	 * @param key the key of the hash
	 * @return the names, the same for the same key
	 */
	static SubjectNames hashed(byte[] key) {
		return new Hashed(new SecretHash(key, "subject:"));
	}

	/**
	 * Names that consist of the first 8 bytes of the HMAC-SHA-256 of each part.
	 *
	 * @param hash the hash with the key
	 */
	record Hashed(SecretHash hash) implements SubjectNames {

		private static final int NAME_BYTES = 8;

		private static final String PARTS = "|";

		@Override
		public String of(String subject) {
			StringBuilder name = new StringBuilder();
			for (String part : subject.split("\\|", -1)) {
				name.append((name.isEmpty()) ? "" : PARTS).append(ofPart(part));
			}
			return name.toString();
		}

		// The global subject and missing parts are not hashed, because they do not
		// identify a client.
		private String ofPart(String part) {
			String kind = part.substring(0, part.indexOf(':') + 1);
			boolean noClient = part.equals(Subjects.GLOBAL)
					|| (!kind.isEmpty() && part.equals(Subjects.missing(kind.substring(0, kind.length() - 1))));
			return (noClient) ? part
					: Subjects.concealed(part, HexFormat.of().formatHex(Arrays.copyOf(this.hash.of(part), NAME_BYTES)));
		}

	}

}
