package dev.ratelimit.telemetry;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.ratelimit.engine.Subjects;

/**
 * How subjects are shown. Thread-safe.
 */
@FunctionalInterface
interface SubjectNames {

	/** Subjects as they are, which may be personal data. */
	SubjectNames PLAIN = (subject) -> subject;

	/**
	 * How a subject is shown.
	 * @param subject the subject, in canonical form
	 * @return its name
	 */
	String of(String subject);

	/**
	 * Names that identify subjects without revealing them: {@code user:#} and a hash in
	 * place of {@code user:alice}. Each part of a subject has its own.
	 * @param key the key of the hash
	 * @return the names, the same for the same key
	 */
	static SubjectNames hashed(byte[] key) {
		return new Hashed(new SecretKeySpec(key, Hashed.ALGORITHM));
	}

	/**
	 * The first 8 bytes of HMAC-SHA-256 over a part.
	 *
	 * @param key the key
	 */
	record Hashed(SecretKeySpec key) implements SubjectNames {

		private static final String ALGORITHM = "HmacSHA256";

		private static final int BYTES = 8;

		private static final String PARTS = "|";

		/** Nothing else that is made with the secret begins like this. */
		private static final byte[] PURPOSE = "subject:".getBytes(StandardCharsets.UTF_8);

		@Override
		public String of(String subject) {
			StringBuilder name = new StringBuilder();
			for (String part : subject.split("\\|", -1)) {
				name.append((name.isEmpty()) ? "" : PARTS).append(ofPart(part));
			}
			return name.toString();
		}

		// The subject of all clients and a missing part are no client's.
		private String ofPart(String part) {
			String kind = part.substring(0, part.indexOf(':') + 1);
			boolean noClient = part.equals(Subjects.GLOBAL)
					|| (!kind.isEmpty() && part.equals(Subjects.missing(kind.substring(0, kind.length() - 1))));
			return (noClient) ? part : kind + "#" + hash(part);
		}

		private String hash(String part) {
			try {
				Mac mac = Mac.getInstance(ALGORITHM);
				mac.init(this.key);
				mac.update(PURPOSE);
				byte[] hash = mac.doFinal(part.getBytes(StandardCharsets.UTF_8));
				return HexFormat.of().formatHex(Arrays.copyOf(hash, BYTES));
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException("every Java platform has " + ALGORITHM, ex);
			}
		}

	}

}
