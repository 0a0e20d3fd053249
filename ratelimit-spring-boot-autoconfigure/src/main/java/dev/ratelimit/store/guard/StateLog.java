package dev.ratelimit.store.guard;

import dev.ratelimit.store.guard.StoreStatus.Health;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One line for each flip of a node's state, under the guard's name.
 */
final class StateLog {

	private static final Log logger = LogFactory.getLog(GuardedLimitStore.class);

	private StateLog() {
	}

	static void flipped(StoreStatus status, Circuit circuit, Health before, Health now) {
		String which = which(status, circuit);
		switch (now) {
			case UP -> logger.info(which + " works again");
			case DEGRADED -> logger.warn(which + " does not work (" + circuit.lastFailure()
					+ "); each rule goes by its failure policy until a probe finds it working");
			case DOWN -> logger.error(which + " does not work (" + circuit.lastFailure()
					+ "); each rule goes by its failure policy as long as that is so");
		}
	}

	static void left(StoreStatus status, Circuit circuit) {
		logger.info(which(status, circuit) + " is no longer part of the cluster");
	}

	private static String which(StoreStatus status, Circuit circuit) {
		return "The store '" + status.store() + "'"
				+ ((circuit.node().equals(status.store())) ? "" : " at " + circuit.node());
	}

}
