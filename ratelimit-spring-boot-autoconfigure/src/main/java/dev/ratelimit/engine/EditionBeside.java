package dev.ratelimit.engine;

/**
 * Internal: an edition that was compiled in addition to the active one, and never becomes
 * active. Rules that do not differ are the same objects in both editions. Immutable.
 *
 * @param base the edition that was active
 * @param edition the additional edition
 */
public record EditionBeside(Edition base, Edition edition) {
}
