/* Written by secateur: a switch for each place of the search that prunes, reduces or extends, read once from the environment.
   {OFF}: methods that are off, by name or by the sum of their bits, with commas between them.
   {OFF_SITES}: single sites that are off, by number, with commas between them.
   {COUNTS}: a file to which the program writes, when it ends, a line a site: its number, how often it was asked, how often it was true.
   With none of them set nothing is changed. */
#ifndef SECATEUR_SWITCHES_H
#define SECATEUR_SWITCHES_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
{sites}
    SECATEUR_SITES
};

/* The bit of the method that a site is under; 0 is none. */
static const unsigned long long secateur_bits[] = {
{bits}
    0ull
};
static const struct { const char *name; unsigned long long bit; } secateur_methods[] = {
{methods}    { "", 0ull }
};

/* 0: on, which is all that a search asks. 1: off. 2: on and counted. 3: off and counted. */
static unsigned char secateur_state[SECATEUR_SITES + 1];
/* One for the whole program, whatever the number of files that have this header. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) unsigned long long secateur_counts[2][SECATEUR_SITES + 1];
__attribute__((weak)) int secateur_counting = 0;
#ifdef __cplusplus
}
#endif

static inline int secateur_asked(int site) {
    if (secateur_state[site] & 2) ++secateur_counts[0][site];
    return !(secateur_state[site] & 1);
}
static inline int secateur_hit(int site) {
    ++secateur_counts[1][site];
    return 1;
}
#define SECATEUR_ON(site) (!secateur_state[SECATEUR_##site] || secateur_asked(SECATEUR_##site))
#define SECATEUR_HIT(site) (!secateur_state[SECATEUR_##site] || secateur_hit(SECATEUR_##site))

static void secateur_write(void) {
    FILE *file = fopen(getenv("{COUNTS}"), "w");
    if (!file) return;
    for (int site = 0; site < SECATEUR_SITES; site++)
        fprintf(file, "%d %llu %llu\n", site, secateur_counts[0][site], secateur_counts[1][site]);
    fclose(file);
}

__attribute__((constructor)) static void secateur_read(void) {
    unsigned long long off = 0;
    const char *text = getenv("{OFF}");
    while (text && *text) {
        size_t length = strcspn(text, ",");
        if (*text >= '0' && *text <= '9') off |= strtoull(text, NULL, 10);
        for (int method = 0; secateur_methods[method].bit; method++)
            if (strlen(secateur_methods[method].name) == length && !strncmp(secateur_methods[method].name, text, length))
                off |= secateur_methods[method].bit;
        text += length;
        if (*text == ',') text++;
    }
    for (int site = 0; site < SECATEUR_SITES; site++) secateur_state[site] = (secateur_bits[site] & off) != 0;
    text = getenv("{OFF_SITES}");
    while (text && *text) {
        char *end;
        unsigned long site = strtoul(text, &end, 10);
        if (end == text) break;
        if (site < SECATEUR_SITES) secateur_state[site] = 1;
        text = *end ? end + 1 : end;
    }
    text = getenv("{COUNTS}");
    if (text && *text) {
        for (int site = 0; site < SECATEUR_SITES; site++) secateur_state[site] |= 2;
        if (!secateur_counting) {
            secateur_counting = 1;
            atexit(secateur_write);
        }
    }
}
#endif
