package dev.ratelimit.web.servlet;

/**
 * Internal: the maximum size of forms.
 *
 * @param bytes the maximum number of bytes of their content
 * @param fields the maximum number of their fields
 */
record FormSize(int bytes, int fields) {

}
