package dev.ratelimit;

import java.util.List;
import java.util.Optional;

/**
 * The problem details (RFC 9457) of a rejected request. Immutable.
 *
 * @param type the type of the problem
 * @param title the title, the same for every problem of the type, except for its language
 * @param status the HTTP status, from 400 to 599
 * @param detail the action that the client can take
 * @param instance the requested path, with the context path; untrusted input
 * @param violatedPolicies the names of the policies that reject the request, in their
 * order
 * @since 0.1.0
 */
public record Problem(Type type, String title, int status, String detail, String instance,
		List<String> violatedPolicies) {

	public Problem {
		if (status < 400 || status > 599) {
			throw new IllegalArgumentException("'status' (" + status + ") must be between 400 and 599");
		}
		violatedPolicies = List.copyOf(violatedPolicies);
	}

	/**
	 * Return this problem with another status.
	 * @param other the status, from 400 to 599
	 * @return the problem
	 * @throws IllegalArgumentException if the status is out of range
	 */
	public Problem withStatus(int other) {
		return new Problem(this.type, this.title, other, this.detail, this.instance, this.violatedPolicies);
	}

	/**
	 * Return this problem with another title and detail.
	 * @param otherTitle the title
	 * @param otherDetail the detail
	 * @return the problem
	 */
	public Problem withText(String otherTitle, String otherDetail) {
		return new Problem(this.type, otherTitle, this.status, otherDetail, this.instance, this.violatedPolicies);
	}

	/**
	 * The types of problems: three of the draft of RateLimit header fields, and one that
	 * is described by its status.
	 *
	 * @see <a href=
	 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
	 * header fields for HTTP</a>
	 */
	public enum Type {

		/** The client has exhausted a limit. */
		QUOTA_EXCEEDED("quota-exceeded", true),

		/** The server has less capacity than usual. */
		TEMPORARY_REDUCED_CAPACITY("temporary-reduced-capacity", true),

		/** The client address is on a deny list, or the client is banned. */
		ABNORMAL_USAGE_DETECTED("abnormal-usage-detected", true),

		/** The request does not identify the client. */
		KEY_MISSING("key-missing", false);

		private static final String URIS = "https://iana.org/assignments/http-problem-types#";

		private final String code;

		private final boolean registered;

		Type(String code, boolean registered) {
			this.code = code;
			this.registered = registered;
		}

		/**
		 * Return the name in message codes.
		 * @return the name, such as {@code quota-exceeded}
		 */
		public String code() {
			return this.code;
		}

		/**
		 * Return the URI of the type.
		 * @return the URI, empty if the status describes the problem
		 */
		public Optional<String> uri() {
			return (this.registered) ? Optional.of(URIS + this.code) : Optional.empty();
		}

	}

}
