package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.MissingKeyPolicy;

/**
 * Internal: the key of a rule.
 *
 * @param parts where in the request the key's values are found; at least one
 * @param onMissing what a request without the key gets; empty if it is not written
 */
public record RuleKey(List<KeyPart> parts, Optional<MissingKeyPolicy> onMissing) {

	public RuleKey {
		parts = List.copyOf(parts);
		Checks.UNPLACED.require(!parts.isEmpty(), ".key", "", "the rule has no key",
				"Set 'key', for example to 'caller'.");
	}

	/**
	 * What a call gets that lacks a part of the key.
	 * @param part the part
	 * @param anonymous what a call without a principal gets if the rule does not say it
	 * @return what is written; else, for a part that requires the principal, what the
	 * front says, and one bucket for all others, since clients choose to leave them out
	 */
	public MissingKeyPolicy onMissing(KeyPart part, MissingKeyPolicy anonymous) {
		return this.onMissing.orElse((part.kind().requiresPrincipal()) ? anonymous : MissingKeyPolicy.SHARED);
	}

	/**
	 * Whether a call without the key gets something, because the rule says so.
	 * @param policy what it gets
	 * @return whether that is written
	 */
	public boolean writes(MissingKeyPolicy policy) {
		return this.onMissing.filter(policy::equals).isPresent();
	}

	/**
	 * Whether a part requires the principal, such as the user.
	 * @return whether anonymous calls lack the key
	 */
	public boolean requiresPrincipal() {
		return this.parts.stream().anyMatch((part) -> part.kind().requiresPrincipal());
	}

	/**
	 * Whether a request may not have the key.
	 * @return whether a part can be missing
	 */
	public boolean mayBeMissing() {
		return this.parts.stream().anyMatch((part) -> part.kind().mayBeMissing());
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
		return new RuleKey(parts, onMissing);
	}

}
