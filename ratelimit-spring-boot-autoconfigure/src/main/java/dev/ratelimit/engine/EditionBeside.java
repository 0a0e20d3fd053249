package dev.ratelimit.engine;

/**
 * Internal: an edition that was compiled beside the active one, and never becomes active.
 * Rules that do not differ are the same objects in both. Immutable.
 *
 * @param base the edition that was active
 * @param edition the edition beside it
 */
public record EditionBeside(Edition base, Edition edition) {
}
