package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import dev.ratelimit.MissingKeyPolicy;

/**
 * Internal: the key of a rule.
 *
 * @param parts the places of the key's values in the request, at least one
 * @param onMissing the treatment of requests without the key; empty if it is not set
 */
public record RuleKey(List<KeyPart> parts, Optional<MissingKeyPolicy> onMissing) {

	public RuleKey {
		parts = List.copyOf(parts);
		Checks.UNPLACED.require(!parts.isEmpty(), ".key", "", "the rule has no key",
				"Set 'key', for example to 'caller'.");
	}

	/**
	 * Return the treatment of a call that lacks a part of the key.
	 * @param part the part
	 * @param anonymous the treatment of calls without a principal, if the rule sets none
	 * @return the configured treatment; otherwise, {@code anonymous} for a part that
	 * requires the principal, and a shared bucket for all other parts, because clients
	 * can omit them
	 */
	public MissingKeyPolicy onMissing(KeyPart part, MissingKeyPolicy anonymous) {
		return this.onMissing.orElse((part.kind().requiresPrincipal()) ? anonymous : MissingKeyPolicy.SHARED);
	}

	/**
	 * Return whether the address of the client replaces a part that a request lacks.
	 * @param part the part
	 * @return whether the subjects of requests may have the address at its place
	 */
	public boolean isReplacedByAddress(KeyPart part) {
		return part.kind().mayBeMissing() && onMissing(part, MissingKeyPolicy.IP) == MissingKeyPolicy.IP;
	}

	/**
	 * Return whether requests may be counted by the address of their client.
	 * @return whether a part is the address, or may be replaced by it
	 */
	public boolean mayUseAddress() {
		return this.parts.stream()
			.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER
					|| isReplacedByAddress(part));
	}

	/**
	 * Return whether the rule sets a given treatment of calls without the key.
	 * @param policy the treatment
	 * @return whether the rule sets it
	 */
	public boolean writes(MissingKeyPolicy policy) {
		return this.onMissing.filter(policy::equals).isPresent();
	}

	/**
	 * Return whether a part requires the principal, such as the user.
	 * @return whether anonymous calls lack the key
	 */
	public boolean requiresPrincipal() {
		return this.parts.stream().anyMatch((part) -> part.kind().requiresPrincipal());
	}

	/**
	 * Return whether a request may lack the key.
	 * @return whether a part can be missing
	 */
	public boolean mayBeMissing() {
		return this.parts.stream().anyMatch((part) -> part.kind().mayBeMissing());
	}

	/**
	 * Return the part to whose values overrides apply: the first one that is neither
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
