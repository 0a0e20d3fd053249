/**
 * Tests of the beans that the starter adds to an application, and of those that it does
 * not change.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
