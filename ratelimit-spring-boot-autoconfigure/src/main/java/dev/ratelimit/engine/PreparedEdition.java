package dev.ratelimit.engine;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.Activation;

/**
 * Internal: an edition that is ready to become active in the place of the one that was
 * active when it was prepared. Immutable.
 */
public final class PreparedEdition {

	private final Edition base;

	private final Edition edition;

	private final Activation activation;

	PreparedEdition(Edition base, Edition edition, Activation activation) {
		this.base = base;
		this.edition = edition;
		this.activation = activation;
	}

	/**
	 * The rules, to be prepared again if another edition became active meanwhile.
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

	Activation activation() {
		return this.activation;
	}

}
