package dev.ratelimit.store.hold;

/**
 * Rounds of renewals that do not wait for their second.
 */
public final class Rounds {

	private Rounds() {
	}

	public static void run(HeldLimitStore slots) {
		slots.renew();
	}

}
