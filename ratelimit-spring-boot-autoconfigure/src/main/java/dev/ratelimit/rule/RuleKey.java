package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.MissingKeyPolicy;

/**
 * Internal: whose bucket a request charges.
 *
 * @param parts where in the request the key's values are found; at least one
 * @param onMissing what a request without the key gets
 */
public record RuleKey(List<KeyPart> parts, MissingKeyPolicy onMissing) {

	public RuleKey {
		parts = List.copyOf(parts);
		Checks.UNPLACED.require(!parts.isEmpty(), ".key", "", "the rule has no key",
				"Set 'key', for example to 'caller'.");
	}

	/**
	 * The part whose value overrides are for: the first one that is neither
	 * {@code route}, {@code ip}, nor {@code global}.
	 * @return its index; empty if there is none
	 */
	public OptionalInt overridden() {
		return IntStream.range(0, this.parts.size())
			.filter((index) -> this.parts.get(index).kind().isOverridable())
			.findFirst();
	}

	static RuleKey of(List<String> written, Optional<MissingKeyPolicy> onMissing, Checks checks) {
		List<String> texts = (written.isEmpty()) ? List.of(KeyPart.Kind.CALLER.word()) : written;
		List<KeyPart> parts = texts.stream()
			.map((text) -> checks.tried(".key", text, "Use one of these keys.", () -> KeyPart.parse(text)))
			.toList();
		return new RuleKey(parts, onMissing.orElse(MissingKeyPolicy.SHARED));
	}

}
