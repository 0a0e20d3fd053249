package dev.ratelimit.engine;

import dev.ratelimit.Decision;

/**
 * Internal: the possible strikes of one request. Immutable.
 */
public interface Strikes {

	/** No rule counts strikes. */
	Strikes NONE = new Strikes() {

		@Override
		public void decided(Decision decision) {
		}

		@Override
		public boolean countsStatus() {
			return false;
		}

		@Override
		public void sent(int status) {
		}

	};

	/**
	 * Count the denials of rules. Does not block.
	 * @param decision the decision on the request
	 */
	void decided(Decision decision);

	/**
	 * Whether a status can be a strike.
	 * @return whether {@link #sent} may count one
	 */
	boolean countsStatus();

	/**
	 * Count the status of an allowed request. Does not block.
	 * @param status the status that was sent
	 */
	void sent(int status);

}
