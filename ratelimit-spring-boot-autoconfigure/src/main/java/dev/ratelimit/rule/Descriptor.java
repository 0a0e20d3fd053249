package dev.ratelimit.rule;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Internal: the descriptors of Envoy that a rule applies to: those of a domain that have
 * exactly these entries, in this order. Immutable.
 *
 * @param domain the domain, as Envoy's filter names it
 * @param entries the entries, at least one
 * @see <a href=
 * "https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/ratelimit/v3/rls.proto">Envoy's
 * rate limit service</a>
 */
public record Descriptor(String domain, List<Entry> entries) {

	/** The maximum number of entries. */
	public static final int MAX_ENTRIES = 32;

	public Descriptor {
		entries = List.copyOf(entries);
		Checks.UNPLACED.require(!domain.isEmpty(), ".domain", domain, "the domain is empty",
				"Set the 'domain' of Envoy's filter.");
		Checks.UNPLACED.require(!entries.isEmpty() && entries.size() <= MAX_ENTRIES, ".entries", entries,
				"a descriptor must have 1 to " + MAX_ENTRIES + " entries",
				"Set entries such as 'user' or 'plan=free'.");
	}

	/**
	 * The key of a rule without {@code key}: the entries whose value is not fixed, or
	 * {@code global} if all are.
	 * @return the parts of the key in text form
	 */
	List<String> key() {
		List<String> varying = this.entries.stream()
			.filter((entry) -> entry.value().filter((value) -> !Entry.isPattern(value)).isEmpty())
			.map((entry) -> KeyPart.Kind.ENTRY.word() + ":" + entry.key())
			.distinct()
			.toList();
		return (varying.isEmpty()) ? List.of(KeyPart.Kind.GLOBAL.word()) : varying;
	}

	boolean has(String key) {
		return this.entries.stream().anyMatch((entry) -> entry.key().equals(key));
	}

	@Override
	public String toString() {
		return this.domain + ": " + this.entries.stream().map(Entry::toString).collect(Collectors.joining(", "));
	}

	/**
	 * An entry of a descriptor.
	 *
	 * @param key its key
	 * @param value its value, in which {@code *} stands for any text; empty for any value
	 */
	public record Entry(String key, Optional<String> value) {

		/**
		 * The order in which values with wildcards are tried: the value with the most
		 * other characters first.
		 */
		public static final Comparator<String> WILDCARDS = Comparator
			.comparingInt((String value) -> value.replace("*", "").length())
			.reversed()
			.thenComparing(Comparator.naturalOrder());

		private static final Pattern FORM = Pattern.compile("([^=]+)(?:=(.*))?", Pattern.DOTALL);

		public Entry {
			Checks.UNPLACED.require(!key.isEmpty(), ".entries", value.orElse(""), "the key of an entry is empty",
					"Use entries such as 'user' or 'plan=free'.");
		}

		/**
		 * Read an entry.
		 * @param text such as {@code user}, {@code plan=free}, or {@code path=/files/*}
		 * @return the entry
		 * @throws InvalidRuleException if there is no key
		 */
		public static Entry parse(String text) {
			Matcher parts = FORM.matcher(text);
			Checks.UNPLACED.require(parts.matches(), ".entries", text, "the key of an entry is empty",
					"Use entries such as 'user' or 'plan=free'.");
			return new Entry(parts.group(1), Optional.ofNullable(parts.group(2)));
		}

		/**
		 * Whether a value of an entry matches several texts.
		 * @param value the value
		 * @return whether it has a wildcard
		 */
		public static boolean isPattern(String value) {
			return value.indexOf('*') >= 0;
		}

		@Override
		public String toString() {
			return this.value.map((text) -> this.key + "=" + text).orElse(this.key);
		}

	}

}
