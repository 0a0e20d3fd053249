package dev.ratelimit.fault;

import java.util.List;
import java.util.function.Consumer;

/**
 * Something that happens to Redis, and its end.
 *
 * @param name what the table says
 * @param server arguments of the server that it happens to
 * @param loss what is lost by it
 * @param strike makes it happen
 * @param heal ends it
 */
record Fault(String name, List<String> server, Loss loss, Consumer<Scene> strike, Consumer<Scene> heal) {

	static Fault of(String name, Loss loss, Consumer<Scene> strike, Consumer<Scene> heal, String... server) {
		return new Fault(name, List.of(server), loss, strike, heal);
	}

	/** The name as part of a key. */
	String caller() {
		return name().replaceAll("[^a-zA-Z0-9]+", "-");
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * What a fault can lose, so that counts need not agree afterwards.
	 */
	enum Loss {

		/** Nothing: what was allowed is what was charged. */
		NOTHING,

		/** Replies to charges that stand: charged is what was allowed, or more. */
		REPLIES,

		/** What was charged before: all buckets start full. */
		DATA

	}

}
