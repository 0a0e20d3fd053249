package dev.ratelimit.fault;

import java.util.List;
import java.util.function.Consumer;

/**
 * A fault of Redis and its end.
 *
 * @param name the name in the table
 * @param server the arguments of the affected server
 * @param loss the possible loss of data
 * @param strike starts the fault
 * @param heal ends the fault
 */
record Fault(String name, List<String> server, Loss loss, Consumer<Scene> strike, Consumer<Scene> heal) {

	static Fault of(String name, Loss loss, Consumer<Scene> strike, Consumer<Scene> heal, String... server) {
		return new Fault(name, List.of(server), loss, strike, heal);
	}

	/** Return the name in a form that can be part of a key. */
	String caller() {
		return name().replaceAll("[^a-zA-Z0-9]+", "-");
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * The possible loss of a fault, after which counts may differ.
	 */
	enum Loss {

		/** Nothing is lost: charges equal allowed requests. */
		NOTHING,

		/**
		 * Replies may be lost after the charge: charges equal or exceed allowed requests.
		 */
		REPLIES,

		/** Earlier charges are lost: all buckets start full. */
		DATA

	}

}
