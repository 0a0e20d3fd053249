package dev.ratelimit.live;

import java.nio.file.Path;
import java.util.Optional;

import dev.ratelimit.base.PropertyChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: rules that change while the application runs, below {@code ratelimit.live}.
 *
 * @param source Source of live rules. Without one, rules change by a restart only.
 * @param store Name of the store in Redis that has live rules, for the source redis, and
 * switches. By default, default.
 * @param file File of live rules, for the source file.
 * @param onMissing Action if the source cannot be read at startup: start with the rules
 * of the application, start with the rules of the cache file, or fail to start. By
 * default, cache if there is a cache file, otherwise base.
 * @param cacheFile File in which to keep the last live rules, for a start while the
 * source is unavailable.
 * @param etcd Connection to etcd, for the source etcd.
 * @param anonymousWrites Whether every user may make all changes (rules, switches, bans,
 * releases, resets) if there is no Spring Security.
 */
@ConfigurationProperties(prefix = "ratelimit.live", ignoreUnknownFields = false)
public record LiveProperties(@DefaultValue("none") Source source, @Nullable String store, @Nullable String file,
		@Nullable OnMissing onMissing, @Nullable String cacheFile,
		@NestedConfigurationProperty @DefaultValue EtcdProperties etcd,
		@DefaultValue("false") boolean anonymousWrites) {

	public LiveProperties {
		PropertyChecks.require(source != Source.FILE || (file != null && !file.isBlank()), "live.source", "file",
				"'ratelimit.live.file' is not set", "Set 'ratelimit.live.file' to the path of the file.");
		PropertyChecks.require(onMissing != OnMissing.CACHE || (cacheFile != null && !cacheFile.isBlank()),
				"live.on-missing", "cache", "'ratelimit.live.cache-file' is not set",
				"Set 'ratelimit.live.cache-file' to the path of a file.");
	}

	LiveSettings settings() {
		Optional<Path> cache = Optional.ofNullable(this.cacheFile).filter((path) -> !path.isBlank()).map(Path::of);
		return new LiveSettings(onMissing(cache.isPresent()), cache, LiveSettings.TIMEOUT);
	}

	private LiveSettings.OnMissing onMissing(boolean cached) {
		if (this.onMissing == null) {
			return (cached) ? LiveSettings.OnMissing.CACHE : LiveSettings.OnMissing.BASE;
		}
		return switch (this.onMissing) {
			case BASE -> LiveSettings.OnMissing.BASE;
			case CACHE -> LiveSettings.OnMissing.CACHE;
			case FAIL -> LiveSettings.OnMissing.FAIL;
		};
	}

	/**
	 * Sources of live rules.
	 */
	public enum Source {

		/** No live rules. */
		NONE,

		/** Redis, where the application can change them. */
		REDIS,

		/** Etcd, where other tools change them. */
		ETCD,

		/** A file that is watched. */
		FILE

	}

	/**
	 * The action if the source cannot be read at startup.
	 */
	public enum OnMissing {

		/** Start with the rules of the application. */
		BASE,

		/** Start with the rules of the cache file. */
		CACHE,

		/** Fail to start. */
		FAIL

	}

}
