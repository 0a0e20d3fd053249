package dev.ratelimit.live.redis;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.WritableRuleSourceContract;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of sources with Redis. The tests write documents directly to Redis.
 */
abstract class AbstractRedisRuleSourceContract extends WritableRuleSourceContract {

	private static final String HEAD = LiveInstance.PREFIX + ":{live}:head";

	private LiveInstance instance = new LiveInstance(connector());

	private long version;

	abstract RedisConnector connector();

	/**
	 * Return the server that contains the documents.
	 */
	abstract TestRedis server();

	@BeforeEach
	void empty() {
		server().command("FLUSHALL");
	}

	@AfterEach
	void disconnect() {
		this.instance.close();
	}

	@Override
	protected WritableRuleSource source() {
		return this.instance.rules();
	}

	@Override
	protected void put(String text) {
		this.version++;
		server().command("HSET", HEAD, "version", Long.toString(this.version), "digest", digest(text), "activate", "0",
				"at", "0", "meta", StoredDocument.UNKNOWN, "text", text, "revisions", "{}");
	}

	private static String digest(String text) {
		try {
			return RuleText.digest(RuleText.document(text));
		}
		catch (IllegalArgumentException ex) {
			return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
		}
	}

	@Override
	protected void remove() {
		server().command("DEL", HEAD);
	}

	// The instance restores rules that Redis loses.
	@Test
	@Override
	protected void aDocumentThatVanishesIsAbsentUntilItReturns() throws Exception {
		put("rules: {a: {limit: 1/s}}");
		source().start(this.log);
		RuleDocument before = this.log.document();
		remove();
		this.log.clear();
		this.log.await("unchanged");
		assertThat(source().newest()).contains(before);
	}

}
