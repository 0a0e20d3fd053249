package dev.ratelimit.engine;

import java.util.OptionalLong;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Activation;

/**
 * Internal: an edition that is ready to replace the edition that was active during its
 * preparation. Immutable.
 */
public final class PreparedEdition {

	private final Edition base;

	private final Edition edition;

	private final Activation activation;

	private final OptionalLong sinceNanos;

	PreparedEdition(Edition base, Edition edition, Activation activation) {
		this(base, edition, activation, OptionalLong.empty());
	}

	PreparedEdition(Edition base, Edition edition, Activation activation, OptionalLong sinceNanos) {
		this.base = base;
		this.edition = edition;
		this.activation = activation;
		this.sinceNanos = sinceNanos;
	}

	/**
	 * Return the rules, for another preparation if another edition became active
	 * meanwhile.
	 * @return the set, in its written modes
	 */
	public RuleSet rules() {
		return this.edition.rules().written();
	}

	Edition base() {
		return this.base;
	}

	Edition edition() {
		return this.edition;
	}

	// The limits apply from the time at which other instances activated them, otherwise
	// from now on.
	void activate(long nowNanos) {
		this.activation.happens(this.sinceNanos.orElse(nowNanos));
	}

}
