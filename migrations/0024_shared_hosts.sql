-- More hosts with sites or pages of different owners are never listed as a whole (server/hosts/shared-hosts.ts): their listings, which
-- no longer match any link, are removed. An audit event names them.
with removed as (
  delete from domains
  where name ~ '^(blogspot|webnode)\.([a-z]+|com?\.[a-z]{2})$'
  or name in (
    '1.bp.blogspot.com', '110mb.com', '16mb.com', '2.bp.blogspot.com', '3.bp.blogspot.com', '4.bp.blogspot.com', '42web.io', '4bb.ru',
    '50megs.com', '5bb.ru', '8m.com', '96.lt', 'activeboard.com', 'ameblo.jp', 'ampblogs.com', 'atspace.com', 'atw.hu', 'awardspace.com',
    'blog.bg', 'blog.cz', 'blog.pl', 'blog4ever.com', 'blogdon.net', 'blogfree.net', 'blogg.no', 'blogg.se', 'blogocial.com',
    'blogolize.com', 'blogs.sapo.pt', 'blogspirit.com', 'bloguetechno.com', 'bloog.pl', 'blox.pl', 'boardhost.com', 'borda.ru',
    'bp.blogspot.com', 'bravehost.com', 'bravepages.com', 'byethost.com', 'cba.pl', 'cdn.ampproject.org', 'centerblog.net', 'comuf.com',
    'createaforum.com', 'designertoblog.com', 'diary.ru', 'diowebhost.com', 'emyspot.com', 'eoldal.hu', 'epizy.com', 'estranky.cz',
    'estranky.sk', 'esy.es', 'eu5.org', 'files.wordpress.com', 'foroactivo.com', 'forum24.ru', 'forumactif.com', 'forumactif.org',
    'forumcommunity.net', 'forumfree.it', 'forumgratuit.org', 'forumieren.com', 'forumieren.de', 'forumotion.com', 'freeforums.net',
    'freeforums.org', 'freehostia.com', 'freeservers.com', 'freewebs.com', 'full-design.com', 'geocities.com', 'geocities.jp',
    'geocities.ws', 'getbb.ru', 'glitch.me', 'gportal.hu', 'great-site.net', 'hautetfort.com', 'hol.es', 'homestead.com',
    'infinityfreeapp.com', 'jimdosite.com', 'miraheze.org', 'mozello.com', 'mybb.ru', 'mybjjblog.com', 'narod2.ru', 'neocities.org',
    'netai.net', 'nethouse.ru', 'ning.com', 'over.blog', 'overblog.de', 'page.tl', 'pages10.com', 'pbworks.com', 'pe.hu', 'pinger.pl',
    'pointblog.net', 'posthaven.com', 'proboards.com', 'rf.gd', 'rolka.su', 'rusff.me', 'shotblogs.com', 'shoutwiki.com', 'site88.net',
    'site90.net', 'sites.google.com', 'sitew.com', 'sitew.fr', 'squarespace.com', 'svbtle.com', 'tapatalk.com', 'thezenweb.com',
    'tinyblogging.com', 'tribunablog.com', 'tripod.co.uk', 'tripod.de', 'ucoz.de', 'ucoz.es', 'ucoz.org', 'ultraweb.hu', 'unblog.fr',
    'uphero.com', 'uw.hu', 'web.archive.org', 'webgarden.cz', 'webstarts.com', 'widblog.com', 'wifeo.com', 'wikispaces.com', 'wz.cz',
    'x10host.com', 'xanga.com', 'xooit.com', 'yuku.com'
  )
  returning name
)
insert into audit_events (username, event, details)
select 'linksieve', 'Removed shared hosts', jsonb_build_object('count', count(*), 'domains', jsonb_agg(name order by name))
from removed
having count(*) > 0;
