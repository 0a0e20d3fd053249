package dev.ratelimit.store.hold;

/**
 * Runs rounds of renewals immediately, instead of once a second.
 */
public final class Rounds {

	private Rounds() {
	}

	public static void run(HeldLimitStore slots) {
		slots.renew();
	}

}
