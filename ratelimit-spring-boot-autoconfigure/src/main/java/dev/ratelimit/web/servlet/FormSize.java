package dev.ratelimit.web.servlet;

/**
 * Internal: how large forms may be.
 *
 * @param bytes how many bytes their content has at most
 * @param fields how many fields they have at most
 */
record FormSize(int bytes, int fields) {

}
