package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Internal: one part of a rule's key: the place of a value in the request. Immutable.
 *
 * @param kind the place
 * @param argument the name of the value there; empty for kinds without a name
 */
public record KeyPart(Kind kind, String argument) {

	/** The names of headers and cookies (RFC 9110, section 5.6.2). */
	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/**
	 * Read the text form, such as {@code user} or {@code header:X-Api-Key}.
	 * @param text the text form
	 * @return the part
	 * @throws IllegalArgumentException if the key does not exist; the message lists all
	 * keys
	 */
	public static KeyPart parse(String text) {
		String trimmed = text.trim();
		int colon = trimmed.indexOf(':');
		String word = (colon < 0) ? trimmed : trimmed.substring(0, colon);
		String argument = (colon < 0) ? "" : trimmed.substring(colon + 1).trim();
		KeyPart part = Arrays.stream(Kind.values())
			.filter((kind) -> kind.word.equals(word) && kind.takesArgument == !argument.isEmpty()
					&& (colon < 0 || kind.takesArgument))
			.findFirst()
			.map((kind) -> new KeyPart(kind, argument))
			.orElseThrow(() -> new IllegalArgumentException(
					"there is no key '" + trimmed + "'; use " + names() + hint(word, argument)));
		boolean token = part.kind == Kind.HEADER || part.kind == Kind.COOKIE;
		if (token && !TOKEN.matcher(argument).matches()) {
			throw new IllegalArgumentException("no " + word + " can have the name '" + argument + "'");
		}
		return part;
	}

	private static String names() {
		return Arrays.stream(Kind.values())
			.map((kind) -> kind.word + ((kind.takesArgument) ? ":..." : ""))
			.collect(Collectors.joining(", "));
	}

	private static String hint(String word, String argument) {
		Optional<String> nearest = SimilarNames.nearest(word, Arrays.stream(Kind.values()).map(Kind::word).toList());
		return Arrays.stream(Kind.values())
			.filter((kind) -> nearest.filter(kind.word::equals).isPresent())
			.findFirst()
			.map((kind) -> kind.word + ((kind.takesArgument) ? ":" + ((argument.isEmpty()) ? "..." : argument) : ""))
			.map((meant) -> "; did you mean '" + meant + "'?")
			.orElse("");
	}

	@Override
	public String toString() {
		return (this.kind.takesArgument) ? this.kind.word + ":" + this.argument : this.kind.word;
	}

	/**
	 * The places where a key's value can be found.
	 */
	public enum Kind {

		/** The user if authenticated, otherwise the client's address. */
		CALLER("caller", false, Trait.OVERRIDABLE, Trait.READS_PRINCIPAL),

		/** The authenticated user. */
		USER("user", false, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.READS_PRINCIPAL, Trait.REQUIRES_PRINCIPAL),

		/** The client's address. */
		IP("ip", false),

		/** The same for all clients. */
		GLOBAL("global", false, Trait.SHARED),

		/**
		 * The path pattern of the handler that serves the request, otherwise of the rule.
		 */
		ROUTE("route", false, Trait.SHARED),

		/** A request header. */
		HEADER("header", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.CHOSEN_BY_CLIENT),

		/** A cookie. */
		COOKIE("cookie", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.CHOSEN_BY_CLIENT),

		/** A variable of the path pattern that matched. */
		PATH("path", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING),

		/** A parameter of the query string. */
		PARAM("param", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.CHOSEN_BY_CLIENT),

		/** A field of a form in the body. */
		FORM("form", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.CHOSEN_BY_CLIENT),

		/** A claim of the authenticated user's token. */
		CLAIM("claim", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING, Trait.READS_PRINCIPAL, Trait.REQUIRES_PRINCIPAL),

		/** An argument of a limited bean method. */
		ARG("arg", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING),

		/** An entry of a descriptor that Envoy sends. */
		ENTRY("entry", true, Trait.OVERRIDABLE),

		/** A bean of type {@code KeyResolver}. */
		BEAN("bean", true, Trait.OVERRIDABLE, Trait.MAY_BE_MISSING);

		private final String word;

		private final boolean takesArgument;

		private final Set<Trait> traits;

		Kind(String word, boolean takesArgument, Trait... traits) {
			this.word = word;
			this.takesArgument = takesArgument;
			this.traits = Set.of(traits);
		}

		/**
		 * Return the word in configuration and in subjects.
		 * @return the word
		 */
		public String word() {
			return this.word;
		}

		/**
		 * Return whether the word is followed by a colon and a name.
		 * @return whether there is an argument
		 */
		public boolean takesArgument() {
			return this.takesArgument;
		}

		/**
		 * Return whether only authenticated calls have the value.
		 * @return whether it is read only from the principal
		 */
		public boolean requiresPrincipal() {
			return this.traits.contains(Trait.REQUIRES_PRINCIPAL);
		}

		/**
		 * Return whether the value depends on the principal, so that the rule must be
		 * evaluated after authentication.
		 * @return whether it is read from the principal, if there is one
		 */
		public boolean readsPrincipal() {
			return this.traits.contains(Trait.READS_PRINCIPAL);
		}

		/**
		 * Return whether a call may lack the value.
		 * @return whether the key can be missing
		 */
		public boolean mayBeMissing() {
			return this.traits.contains(Trait.MAY_BE_MISSING);
		}

		/**
		 * Return whether a client can choose a different value for each request.
		 * @return whether the client sends it
		 */
		public boolean isChosenByClient() {
			return this.traits.contains(Trait.CHOSEN_BY_CLIENT);
		}

		boolean isShared() {
			return this.traits.contains(Trait.SHARED);
		}

		boolean isOverridable() {
			return this.traits.contains(Trait.OVERRIDABLE);
		}

		/**
		 * A property of some kinds only.
		 */
		private enum Trait {

			/** A limit can differ for single values. */
			OVERRIDABLE,
			/** A call may lack the value. */
			MAY_BE_MISSING,
			/** It is read from the principal, if there is one. */
			READS_PRINCIPAL,
			/** It is read only from the principal. */
			REQUIRES_PRINCIPAL,
			/** The client sends it, and can vary it with each request. */
			CHOSEN_BY_CLIENT,
			/** All clients have the same value. */
			SHARED

		}

	}

}
